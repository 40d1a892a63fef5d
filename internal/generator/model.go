package generator

import "github.com/ccwire/ccwire/schema"

// A kind is what a Go type expression is made of.
type kind int

const (
	stringKind kind = iota + 1
	boolKind        // bool
	intKind         // int64
	floatKind       // float64
	rawKind         // codec.Raw, any JSON
	objectKind      // codec.Raw, an object
	scalarKind      // codec.Raw, of some kinds
	enumKind        // a named string type
	structKind      // a named struct
	unionKind       // a named interface
	choiceKind      // a named struct with a field per JSON kind
	sliceKind       // []elem
	mapKind         // map[string]elem
	nullKind        // codec.Nullable[elem]
)

// An expr is a Go type expression.
type expr struct {
	kind  kind
	name  string // of named types
	elem  *expr
	kinds []string // of a scalar: the JSON kinds
}

// A structType is an object with members.
type structType struct {
	name    string
	def     *schema.Definition
	doc     string
	fields  []*field
	legacy  []string // names of members that only older peers send
	untyped []string // names of members that a subset leaves out
	tags    []string // discriminating members, if it is an arm of a union
	unions  []string // the unions it is an arm of
	tagged  bool     // it has a method that returns the first of its tags

	enumTag *field // the member that tells it from other arms, if that is an enum
	openTag bool   // and the arm takes values that no arm has

	tools []toolMember // what it has of tools
}

// field returns the member of that name, nil if there is none.
func (s *structType) field(wire string) *field {
	for _, f := range s.fields {
		if f.wire == wire {
			return f
		}
	}
	return nil
}

// A field is a member of a struct.
type field struct {
	name     string // Go
	wire     string
	doc      string
	typ      *expr
	required bool
	core     bool   // an object without it does not decode
	send     bool   // required to send, and if it is required to read, not to be empty
	constant string // a fixed value; no Go field then
	isConst  bool
	only     string // the one known value of an enum, which is written where the field is empty
	repeated int    // number of its memo, or -1
}

// An enumType is a string with known values.
type enumType struct {
	name    string
	def     string // where it is defined
	doc     string
	closed  bool
	partial bool // the list of values is known to be incomplete
	values  []string
}

// A unionType is an interface with an arm per tag.
type unionType struct {
	name    string
	def     *schema.Definition
	doc     string
	tags    []string // one or two
	groups  []*group // by the first tag's value
	legacy  []schema.LegacyTag
	inLists bool // it is the element of an array
	isFrame bool

	old []string // shapes of older peers that are arms, known by their members and not by their tag

	tagMethod bool // every arm has a method that returns the first tag, also those that a subset lacks
	molds     bool // the package has the molds of streamed pieces, and what gives memory to these
}

// A group is the arms that share a value of the first tag.
type group struct {
	value string
	arm   *arm   // if the first tag decides
	arms  []*arm // else by the second tag
}

// An arm is one choice of a union.
type arm struct {
	name   string
	values []string // of the tag that decides
	open   bool     // it takes the values that no arm has, too
	legacy bool     // only older peers send it
}

// A choiceType is a value of one of several JSON kinds.
type choiceType struct {
	name string
	def  string
	doc  string
	arms []*choiceArm
}

type choiceArm struct {
	field string
	kind  string // JSON kind
	typ   *expr
}

// A call is a control request with its answer.
type call struct {
	name      string // Go name of the operation
	subtype   string
	folder    string // of its schema
	doc       string
	direction string
	request   string
	response  *expr // nil if the answer has no body
}

// A legacyRule reads an old shape.
type legacyRule struct {
	def     *schema.Definition
	tag     string
	present []string
	absent  []string
	arm     string // the struct it decodes to, if it has no modern form
}

// An entry is a definition with its Go type, for the tests.
type entry struct {
	definition string
	typ        *expr
}

// A tool is a built-in tool with the Go types of its input and result, "" where it has none.
type tool struct {
	names         []string // all that it goes by
	input, result string
}

// A toolMember is a member that holds the input or the result of a tool, and the field that names
// the tool.
type toolMember struct {
	value, name *field
	result      bool
}

// A file is one generated file, named after a schema folder.
type file struct {
	folder  string
	structs []*structType
	enums   []*enumType
	unions  []*unionType
	choices []*choiceType
}

// A program is everything to generate.
type program struct {
	revision string
	files    []*file
	calls    []*call
	legacy   []*legacyRule
	entries  []*entry
	tools    []*tool

	typedTools bool // it has the unions of tools
}
