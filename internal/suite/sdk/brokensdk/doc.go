// Package brokensdk is a small SDK with one bug at a time, each of a kind that was seen in
// published SDKs, to show that the suite catches them. It is a driver for protogen conform sdk.
//
// Without a bug it passes every scenario whose features it has, so that the suite is shown not to
// accuse a correct SDK.
package brokensdk
