// Package model is the schemas as packages of types show them, in any language: types with short
// names, which are those of the Go types, and what a reader must check.
//
// A [Type] is a struct, a union told apart by a tag, an enum, a choice between kinds of JSON, or
// another name for an expression. An inline type belongs to one member: a language that can, writes
// it in place. [Model.Types] has every definition of the schemas but those that only refer to
// another.
//
// # Directions
//
// [Model.FromCLI] and [Model.FromSDK] are the lines of a direction. Both sides send a
// control_request, but not the same requests: what lies between is there three times, as Request
// with all arms, and as RequestFromCLI and RequestFromSDK, which the lines lead to. A reader may
// check with [Type.Base] what it shows as the narrower type, so that it finds what is wrong in a
// line of the wrong direction, too.
//
// # What is valid
//
// A value is valid if it is one by the open schemas: members that are not named, values that an
// enum does not list, and tags that no arm has are fine. An object is of the arm with its tag;
// where that does not fit, an arm marked Legacy may. Types leave these out, and readers make the
// modern form of them ([Struct.Modern]) where there is one. The error of a value that nothing fits
// is that of the arm with its tag. The tests of this package have a checker in 80 lines.
package model

import (
	"slices"

	"github.com/ccwire/ccwire/schema"
)

// A Model is the whole protocol.
type Model struct {
	Revision string  // of the schemas
	Types    []*Type // by name

	FromCLI, FromSDK *Type // any line of a direction

	Requests []*Request // by subtype
	Hooks    []*Hook    // by event
	Tools    []*Tool    // by today's name

	byDefinition map[string]*Expr
}

// Definition returns what a definition of the schemas is, nil if there is none of that name. It is
// mostly a Ref.
func (m *Model) Definition(name string) *Expr { return m.byDefinition[name] }

// Type returns the type of that name, nil if there is none.
func (m *Model) Type(name string) *Type {
	i := slices.IndexFunc(m.Types, func(t *Type) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return m.Types[i]
}

// A Request is a control request with what the member response of a success holds.
type Request struct {
	Subtype   string
	Direction Direction
	Host      bool // only the host of a user interface or of a remote session sends it
	Request   *Type
	Response  *Expr // nil if the answer says nothing; it goes the other way
}

// A Hook is an event with what a hook is told and what it may answer.
type Hook struct {
	Event  string
	Input  *Type
	Output *Type // what hookSpecificOutput holds, nil if the event has none
}

// A Tool is a built-in tool. Lines carry both values as any JSON, beside the name of the tool.
type Tool struct {
	Names  []string // today's first
	Input  *Expr    // nil if it is not known
	Result *Expr    // nil if it is not known
}

// A Direction is who sends something.
type Direction string

const (
	Both Direction = "both"
	CLI  Direction = "cli-to-sdk"
	SDK  Direction = "sdk-to-cli"
)

// covers reports whether what goes in direction d goes in that of other.
func (d Direction) covers(other Direction) bool { return d == Both || d == other }

// A Type is something with a name. One of Struct, Union, Enum, Choice and Alias is set.
type Type struct {
	Name       string
	Definition string // the name of its definition; of an inline type, of the one that it is in
	Inline     bool   // it is the type of one member, and has no definition of its own
	Base       *Type  // the same for both directions, if this is for one of two
	Doc        string
	History    string // "seen since 2.1.200", "never recorded" or ""
	Direction  Direction
	Legacy     bool // read, never sent

	Struct *Struct
	Union  *Union
	Enum   *Enum
	Choice []*Expr // of distinct kinds of JSON
	Alias  *Expr
}

// A Struct is an object with members. Others may be there, too.
type Struct struct {
	Members []*Member        // in the order in which the CLI writes them
	Lacks   []string         // of a legacy shape: members that are not all there
	Modern  []schema.PatchOp // of a legacy shape: how it becomes its modern form, if it has one
}

// Member returns the member of that name, nil if there is none.
func (s *Struct) Member(name string) *Member {
	i := slices.IndexFunc(s.Members, func(m *Member) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return s.Members[i]
}

// A Member is a named member of an object.
type Member struct {
	Name     string // on the wire
	Doc      string // its own description, or the first sentence of that of its type
	History  string // "Seen since 2.1.200.", "Always written since 2.1.290.", "Never recorded." or ""
	Value    *Expr
	Required bool

	Send      bool // who sends the object must give it, and not an empty string, though a reader does not insist
	Essential bool // an object without it is of no use
	Legacy    bool // only older peers send it

	ToolInput, ToolResult string // the member beside it that names the tool whose input or result it is
}

// A Union is a choice between objects.
type Union struct {
	Tag    string // the member that tells them apart
	Arms   []*Arm
	Legacy []schema.LegacyTag // tags of older peers: where it fits, a reader takes the modern one for them
}

// Unknown returns the arm for tags that no arm has, nil if there is none.
func (u *Union) Unknown() *Arm {
	i := slices.IndexFunc(u.Arms, func(a *Arm) bool { return a.Unknown })
	if i < 0 {
		return nil
	}
	return u.Arms[i]
}

// An Arm is one choice of a union.
type Arm struct {
	Type   *Type    // a struct, or a union with another tag
	Values []string // of the tag
	Open   bool     // it takes the values that no other arm has, beside its own
	Legacy bool     // a shape of older peers that has the tag of another arm, none at all, or is no object

	// Unknown says that the arm is for tags that no other has. It has no Values.
	Unknown bool
}

// An Enum is a string with known values.
type Enum struct {
	Values  []string
	Closed  bool // there are no others
	Partial bool // the list is known to lack values
}

// A Kind is what an expression is made of.
type Kind int

const (
	String Kind = iota + 1
	Bool
	Int // a number without a fraction; 1.0 is one
	Number
	Const  // one string
	Any    // any JSON
	Object // any object
	List
	Map // an object with values of one kind
	Ref // a named type
)

// An Expr says what a value may be.
type Expr struct {
	Kind     Kind
	Nullable bool // or null

	Type  *Type  // of a Ref
	Elem  *Expr  // of a List or a Map
	Const string // of a Const

	Except  []string // of a String or an enum that is a tag: the values of other arms
	Content *Expr    // of an Any or an Object: what it holds; this is not checked
}
