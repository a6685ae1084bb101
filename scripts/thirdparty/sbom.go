package main

import (
	"net/url"
	"os"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeSBOM writes the software bill of materials as CycloneDX JSON. It has no time and no
// random number, so that the same sources give the same file.
func writeSBOM(path, version string, modules, packages, copied []component) error {
	bom := cdx.NewBOM()
	bom.SerialNumber = ""
	bom.Metadata = &cdx.Metadata{Component: &cdx.Component{
		BOMRef: "bifolia", Type: cdx.ComponentTypeApplication, Name: "bifolia", Version: version, PackageURL: purl("golang", "github.com/bifolia/bifolia", version),
	}}
	var all []cdx.Component
	var refs []string
	add := func(kind cdx.ComponentType, scheme string, from []component) {
		for _, c := range from {
			ref := purl(scheme, c.Name, c.Version)
			all = append(all, cdx.Component{
				BOMRef: ref, Type: kind, Name: c.Name, Version: c.Version, PackageURL: ref,
				Licenses: &cdx.Licenses{{Expression: c.License}},
			})
			refs = append(refs, ref)
		}
	}
	add(cdx.ComponentTypeLibrary, "golang", modules)
	add(cdx.ComponentTypeLibrary, "npm", packages)
	add(cdx.ComponentTypeData, "generic", copied)
	bom.Components = &all
	bom.Dependencies = &[]cdx.Dependency{{Ref: "bifolia", Dependencies: &refs}}

	out, err := os.Create(path)
	if err != nil {
		return err
	}
	err = cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6) // scanners lag behind the newest version
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

// purl returns the package URL of a component; a Go module without a path is the standard
// library.
func purl(scheme, name, version string) string {
	if name == "Go standard library" {
		name, version = "std", strings.TrimPrefix(version, "go")
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(part), "@", "%40")
	}
	return "pkg:" + scheme + "/" + strings.Join(parts, "/") + "@" + url.PathEscape(version)
}
