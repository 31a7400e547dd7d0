package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The bill of materials is CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): the
// tools with the hashes of their files, the modules they are built from, and Go.
type (
	bom struct {
		BOMFormat    string       `json:"bomFormat"`
		SpecVersion  string       `json:"specVersion"`
		SerialNumber string       `json:"serialNumber"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version,omitempty"`
		Hashes     []hash     `json:"hashes,omitempty"`
		Licences   []licence  `json:"licenses,omitempty"`
		PURL       string     `json:"purl,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	licence struct {
		Expression string `json:"expression"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn"`
	}
)

// spoolLicence is the licence of the tools themselves.
const spoolLicence = "MIT"

// bill returns the bill of materials.
func (b build) bill() ([]byte, error) {
	root := component{
		Type: "application", Ref: "spool", Name: "spool", Version: b.Version,
		Licences:   []licence{{spoolLicence}},
		Properties: []property{{"spool:platform", b.OS + "/" + b.Arch}},
	}
	d := bom{
		BOMFormat: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: metadata{Timestamp: b.Epoch.Format(time.RFC3339), Component: root},
	}
	std := component{
		Type: "library", Name: "std", Version: strings.TrimPrefix(b.Tools[0].Go, "go"),
		Licences: []licence{{"BSD-3-Clause"}},
	}
	std.PURL = "pkg:golang/std@" + std.Version
	std.Ref = std.PURL
	refs := map[string]string{}
	libraries := []component{std}
	for _, m := range b.Modules {
		purl := "pkg:golang/" + strings.ToLower(m.Path) + "@" + m.Version
		refs[m.Path] = purl
		libraries = append(libraries, component{
			Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl,
			Licences:   []licence{{m.Licence}},
			Properties: []property{{"go:sum", m.Sum}},
		})
	}
	graph := []dependency{{Ref: root.Ref}}
	for _, t := range b.Tools {
		d.Components = append(d.Components, component{
			Type: "application", Ref: t.Name, Name: t.Name, Version: b.Version,
			Hashes:   []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(t.Data))}},
			Licences: []licence{{spoolLicence}},
		})
		needs := []string{std.Ref}
		for _, path := range t.Modules {
			needs = append(needs, refs[path])
		}
		slices.Sort(needs)
		graph[0].DependsOn = append(graph[0].DependsOn, t.Name)
		graph = append(graph, dependency{Ref: t.Name, DependsOn: needs})
	}
	d.Components = append(d.Components, libraries...)
	for _, c := range libraries {
		graph = append(graph, dependency{Ref: c.Ref, DependsOn: []string{}})
	}
	d.Dependencies = graph
	return d.encode()
}

// encode returns the bill as text. Its serial number is drawn from its content, so
// that the same bill has the same one.
func (d bom) encode() ([]byte, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	id := sha256.Sum256(text)
	id[6] = id[6]&0x0f | 0x80 // a UUID of version 8, the variant of RFC 9562
	id[8] = id[8]&0x3f | 0x80
	d.SerialNumber = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err = e.Encode(d)
	return out.Bytes(), err
}
