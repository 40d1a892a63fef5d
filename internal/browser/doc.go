// Package browser holds the tests of the pages that protogen writes, in headless Chromium: make
// browser. Every test opens a page in a tab of its own and fails if the page writes an error to the
// console, breaks its content security policy, or asks for anything besides itself.
//
// The browser is chromium on the PATH, or what CHROMIUM names. With BROWSER_SHOTS, a folder, the
// tests leave the screenshots there.
package browser
