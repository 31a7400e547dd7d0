package format

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// schema is one node of a JSON Schema, with the keywords that the receipt's
// uses; others are refused on reading.
type schema struct {
	Schema      string             `json:"$schema"`
	Title       string             `json:"title"`
	Description string             `json:"description"`
	Ref         string             `json:"$ref"`
	Defs        map[string]*schema `json:"$defs"`
	Type        any                `json:"type"` // a word, or a list of them
	Const       any                `json:"const"`
	Enum        []any              `json:"enum"`
	AnyOf       []*schema          `json:"anyOf"`
	Required    []string           `json:"required"`
	Properties  map[string]*schema `json:"properties"`
	Additional  *schema            `json:"additionalProperties"`
	Names       *schema            `json:"propertyNames"`
	MinProps    int                `json:"minProperties"`
	Items       *schema            `json:"items"`
	Unique      bool               `json:"uniqueItems"`
	Pattern     string             `json:"pattern"`
	MaxLength   *int               `json:"maxLength"`
	Minimum     *float64           `json:"minimum"`
	Maximum     *float64           `json:"maximum"`
}

func readSchema(t *testing.T) *schema {
	t.Helper()
	f, err := os.Open("../../docs/receipt.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	root := &schema{}
	dec := json.NewDecoder(f)
	dec.DisallowUnknownFields()
	if err := dec.Decode(root); err != nil {
		t.Fatal(err)
	}
	return root
}

// at follows references.
func (s *schema) at(root *schema) *schema {
	for s != nil && s.Ref != "" {
		s = root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
	}
	return s
}

// allows tells whether a node allows a JSON type.
func (s *schema) allows(kind string) bool {
	switch v := s.Type.(type) {
	case string:
		return v == kind
	case []any:
		return slices.Contains(v, any(kind))
	}
	switch {
	case len(s.AnyOf) > 0:
		return slices.ContainsFunc(s.AnyOf, func(o *schema) bool { return o.Ref != "" && kind == "object" || o.Ref == "" && o.allows(kind) })
	case s.Enum != nil:
		return kind == "null" && slices.Contains(s.Enum, nil) || kind == "string"
	}
	return s.Const != nil && kind == "string"
}

// TestSchemaHasTheFieldsOfTheTypes walks the Go types and the schema side by
// side: the same keys, all required, null where and only where it is unknown.
func TestSchemaHasTheFieldsOfTheTypes(t *testing.T) {
	root := readSchema(t)
	compareTypes(t, root, root, reflect.TypeFor[Receipt](), "receipt")
}

func compareTypes(t *testing.T, root, s *schema, typ reflect.Type, path string) {
	t.Helper()
	if s = s.at(root); s == nil {
		t.Errorf("%s: the schema has no such definition", path)
		return
	}
	inner, nullable := typ, typ == reflect.TypeFor[Count]() || typ == reflect.TypeFor[Size]() || typ == reflect.TypeFor[Time]() && path != "receipt.created_at"
	if strings.HasPrefix(typ.Name(), "Opt[") {
		inner, nullable = typ.Field(0).Type, true
	}
	if s.allows("null") != nullable {
		t.Errorf("%s: null is allowed by the schema: %v; by the types: %v", path, s.allows("null"), nullable)
	}
	want := map[bool]string{true: "string", false: ""}[inner.Kind() == reflect.String || inner == reflect.TypeFor[Time]()]
	switch {
	case inner == reflect.TypeFor[Count]() || inner.Kind() == reflect.Int64:
		want = "integer"
	case inner.Kind() == reflect.Bool:
		want = "boolean"
	case inner.Kind() == reflect.Slice:
		want = "array"
	case want == "":
		want = "object"
	}
	if !s.allows(want) {
		t.Errorf("%s: want %s; the schema has %v", path, want, s.Type)
	}
	if want == "object" {
		compareObject(t, root, s, inner, path)
	}
}

func compareObject(t *testing.T, root, s *schema, typ reflect.Type, path string) {
	t.Helper()
	for _, o := range s.AnyOf {
		if o.Ref != "" {
			s = o.at(root)
		}
	}
	if typ.Kind() == reflect.Map {
		compareTypes(t, root, s.Additional, typ.Elem(), path+".*")
		return
	}
	keys := []string{}
	for field := range typ.Fields() {
		key := field.Tag.Get("json")
		keys = append(keys, key)
		if s.Properties[key] == nil {
			t.Errorf("%s.%s: is not in the schema", path, key)
			continue
		}
		compareTypes(t, root, s.Properties[key], field.Type, path+"."+key)
	}
	if !slices.Equal(keys, s.Required) {
		t.Errorf("%s: required are %q, want %q", path, s.Required, keys)
	}
	if len(s.Properties) != len(keys) {
		t.Errorf("%s: the schema has %q, the types %q", path, slices.Sorted(maps.Keys(s.Properties)), keys)
	}
}

// TestSchemaHasTheWordsOfTheTypes holds every closed list of the schema against
// what the types take.
func TestSchemaHasTheWordsOfTheTypes(t *testing.T) {
	root := readSchema(t)
	for _, tt := range []struct {
		def, key string
		want     []string
	}{
		{"process", "state", words(ProcessRunning, ProcessExited, ProcessCancelled, ProcessTimeout, ProcessNotStarted, ProcessUnknown)},
		{"capture", "state", words(CapturePending, CaptureComplete, CapturePartial, CaptureFailed, CaptureDisabled, CaptureUnavailable)},
		{"representation", "kind", words(KindRedacted, KindDecoded, KindBinary)},
		{"stream", "compression", words(Zstd)},
		{"preview", "state", words(PreviewComplete, PreviewTruncated)},
		{"upstream", "state", words(UpstreamComplete, UpstreamTruncated, UpstreamUnknown)},
	} {
		got := []string{}
		for _, v := range root.Defs[tt.def].Properties[tt.key].Enum {
			if s, ok := v.(string); ok {
				got = append(got, s)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s.%s: the schema has %q, want %q", tt.def, tt.key, got, tt.want)
		}
	}
	pattern := regexp.MustCompile(root.Defs["capture"].Properties["reasons"].Items.Pattern)
	for _, r := range []Reason{
		ReasonQuotaCapture, ReasonQuotaNamespace, ReasonWriteError, ReasonNoSpace, ReasonWriterStalled, ReasonDrainTimeout,
		ReasonStageLost, ReasonCrash, ReasonUpstream, ReasonInline, ReasonPolicy, ReasonWriteError.With("detail"),
	} {
		if !pattern.MatchString(string(r)) || r.Check() != nil {
			t.Errorf("reason %q: schema %v, types %v", r, pattern.MatchString(string(r)), r.Check())
		}
	}
	if pattern.MatchString("tired") || Reason("tired").Check() == nil {
		t.Error("a reason off the list is taken")
	}
}

func words[T ~string](all ...T) []string {
	list := make([]string, len(all))
	for i, w := range all {
		list[i] = string(w)
	}
	return list
}

// TestSchemaTakesReceiptsAndNothingElse validates samples, and samples broken in
// one place each, in which schema and types have to agree.
func TestSchemaTakesReceiptsAndNothingElse(t *testing.T) {
	root := readSchema(t)
	samples := map[string]func(*Receipt){
		"as it is": func(*Receipt) {},
		"all unknown": func(r *Receipt) {
			r.Process = Process{State: ProcessUnknown}
			r.Capture = Capture{State: CaptureFailed, Reasons: []Reason{ReasonCrash}}
			r.Streams, r.Representation, r.Preview = map[string]Stream{Output: {}}, Representation{Transforms: []string{}}, Preview{Streams: map[string]PreviewCounts{}}
		},
		"a signal and resources": func(r *Receipt) {
			r.Process.ExitCode, r.Process.Signal, r.Process.CoreDumped = None[int64](), Some("SIGRTMIN+3"), Some(true)
			r.Process.Resources = Some(Resources{WallMS: Known(3)})
		},
		"no bound": func(r *Receipt) { r.Limits.CaptureBytes = Unlimited },
		"bad id":   func(r *Receipt) { r.ID = "x" }, "no state": func(r *Receipt) { r.Process.State = "" },
		"a code too large": func(r *Receipt) { r.Process.ExitCode = Some(int64(256)) },
		"a signal's number": func(r *Receipt) {
			r.Process.ExitCode, r.Process.Signal = None[int64](), Some("9")
		},
		"a long label":      func(r *Receipt) { r.Label = Some(strings.Repeat("é", 257)) },
		"a label as long":   func(r *Receipt) { r.Label = Some(strings.Repeat("é", 256)) },
		"generation 0":      func(r *Receipt) { r.Generation = 0 },
		"no reasons":        func(r *Receipt) { r.Capture.Reasons = nil },
		"an unknown stream": func(r *Receipt) { r.Streams["stdin"] = Stream{} },
		"no streams":        func(r *Receipt) { r.Streams = map[string]Stream{} },
		"a hit of none": func(r *Receipt) {
			s := r.Streams[Stdout]
			s.Redactions = Some(map[string]int64{"x": 0})
			r.Streams[Stdout] = s
		},
	}
	for name, edit := range samples {
		r := sample()
		edit(r)
		data, err := marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatal(err)
		}
		_, types := ParseReceipt(data)
		if bySchema := root.check(root, v, ""); (bySchema == nil) != (types == nil) {
			t.Errorf("%s: the schema says %v, the types say %v", name, bySchema, types)
		}
	}
}

// check validates v, as far as the keywords above go.
func (s *schema) check(root *schema, v any, path string) error {
	s = s.at(root)
	kind := map[reflect.Kind]string{reflect.Bool: "boolean", reflect.Float64: "integer", reflect.String: "string", reflect.Slice: "array", reflect.Map: "object"}[reflect.ValueOf(v).Kind()]
	if v == nil {
		kind = "null"
	}
	switch {
	case len(s.AnyOf) > 0:
		if !slices.ContainsFunc(s.AnyOf, func(o *schema) bool { return o.check(root, v, path) == nil }) {
			return fmt.Errorf("%s: none of the alternatives", path)
		}
		return nil
	case s.Type != nil && !s.allows(kind):
		return fmt.Errorf("%s: is a %s", path, kind)
	case s.Const != nil && v != s.Const, s.Enum != nil && !slices.Contains(s.Enum, v):
		return fmt.Errorf("%s: %v is not on the list", path, v)
	}
	switch v := v.(type) {
	case string:
		if s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(v) || s.MaxLength != nil && utf8.RuneCountInString(v) > *s.MaxLength {
			return fmt.Errorf("%s: %q", path, v)
		}
	case float64:
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum {
			return fmt.Errorf("%s: %v", path, v)
		}
	case []any:
		for i, e := range v {
			if err := s.Items.check(root, e, fmt.Sprint(path, ".", i)); err != nil {
				return err
			}
		}
	case map[string]any:
		return s.checkObject(root, v, path)
	}
	return nil
}

func (s *schema) checkObject(root *schema, v map[string]any, path string) error {
	if len(v) < s.MinProps {
		return fmt.Errorf("%s: too few", path)
	}
	for _, key := range s.Required {
		if _, ok := v[key]; !ok {
			return fmt.Errorf("%s.%s: is missing", path, key)
		}
	}
	for key, e := range v {
		of := s.Properties[key]
		if of == nil {
			of = s.Additional
		}
		if s.Names != nil {
			if err := s.Names.check(root, key, path); err != nil {
				return err
			}
		}
		if of != nil {
			if err := of.check(root, e, path+"."+key); err != nil {
				return err
			}
		}
	}
	return nil
}
