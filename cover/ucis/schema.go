package ucis

import "encoding/xml"

// The types of the schema, UCIS 1.0 section 9, as far as covergroups and
// assertions need them; fields are in the order of the schema.
type (
	document struct {
		XMLName     xml.Name     `xml:"UCIS"`
		UCISVersion string       `xml:"ucisVersion,attr"`
		WrittenBy   string       `xml:"writtenBy,attr"`
		WrittenTime string       `xml:"writtenTime,attr"`
		SourceFiles []sourceFile `xml:"sourceFiles"`
		History     []history    `xml:"historyNodes"`
		Instances   []instance   `xml:"instanceCoverages"`
	}
	sourceFile struct {
		FileName string `xml:"fileName,attr"`
		ID       int    `xml:"id,attr"`
	}
	history struct {
		ID          int        `xml:"historyNodeId,attr"`
		LogicalName string     `xml:"logicalName,attr"`
		Kind        string     `xml:"kind,attr,omitempty"`
		TestStatus  bool       `xml:"testStatus,attr"`
		Date        string     `xml:"date,attr"`
		Category    string     `xml:"toolCategory,attr"`
		UCISVersion string     `xml:"ucisVersion,attr"`
		VendorID    string     `xml:"vendorId,attr"`
		VendorTool  string     `xml:"vendorTool,attr"`
		ToolVersion string     `xml:"vendorToolVersion,attr"`
		User        []userAttr `xml:"userAttr"`
	}
	instance struct {
		Name       string       `xml:"name,attr"`
		Key        string       `xml:"key,attr"`
		ModuleName string       `xml:"moduleName,attr,omitempty"`
		ID         statementID  `xml:"id"`
		Toggles    []ignored    `xml:"toggleCoverage"`
		Blocks     []ignored    `xml:"blockCoverage"`
		Conditions []ignored    `xml:"conditionCoverage"`
		Branches   []ignored    `xml:"branchCoverage"`
		FSMs       []ignored    `xml:"fsmCoverage"`
		Assertions []assertions `xml:"assertionCoverage"`
		Groups     []covergroup `xml:"covergroupCoverage"`
	}
	ignored     struct{}
	statementID struct {
		File   int `xml:"file,attr"`
		Line   int `xml:"line,attr"`
		Inline int `xml:"inlineCount,attr"`
	}
	assertions struct {
		Assertion []assertion `xml:"assertion"`
	}
	assertion struct {
		Name     string     `xml:"name,attr"`
		Kind     string     `xml:"assertionKind,attr"`
		Excluded bool       `xml:"excluded,attr,omitempty"`
		Weight   *int       `xml:"weight,attr"`
		Cover    *bin       `xml:"coverBin"`
		Pass     *bin       `xml:"passBin"`
		Fail     *bin       `xml:"failBin"`
		Vacuous  *bin       `xml:"vacuousBin"`
		Disabled *bin       `xml:"disabledBin"`
		Attempt  *bin       `xml:"attemptBin"`
		User     []userAttr `xml:"userAttr"`
	}
	bin struct {
		Alias    string     `xml:"alias,attr,omitempty"`
		Goal     int        `xml:"coverageCountGoal,attr,omitempty"`
		Excluded bool       `xml:"excluded,attr,omitempty"`
		Contents contents   `xml:"contents"`
		User     []userAttr `xml:"userAttr"`
	}
	contents struct {
		Count uint64 `xml:"coverageCount,attr"`
	}
	covergroup struct {
		Instances []groupInstance `xml:"cgInstance"`
	}
	groupInstance struct {
		Name        string       `xml:"name,attr"`
		Key         string       `xml:"key,attr"`
		Options     options      `xml:"options"`
		ID          groupID      `xml:"cgId"`
		Coverpoints []coverpoint `xml:"coverpoint"`
		Crosses     []cross      `xml:"cross"`
	}
	groupID struct {
		Name       string      `xml:"cgName,attr"`
		ModuleName string      `xml:"moduleName,attr"`
		Instance   statementID `xml:"cginstSourceId"`
		Source     statementID `xml:"cgSourceId"`
	}
	options struct {
		Weight  *int   `xml:"weight,attr"`
		Comment string `xml:"comment,attr,omitempty"`
		AtLeast int    `xml:"at_least,attr,omitempty"`
	}
	coverpoint struct {
		Name    string          `xml:"name,attr"`
		Key     string          `xml:"key,attr"`
		Expr    string          `xml:"exprString,attr,omitempty"`
		Options options         `xml:"options"`
		Bins    []coverpointBin `xml:"coverpointBin"`
		User    []userAttr      `xml:"userAttr"`
	}
	coverpointBin struct {
		Name      string      `xml:"name,attr"`
		Key       string      `xml:"key,attr"`
		Type      string      `xml:"type,attr"`
		Ranges    []valueSet  `xml:"range"`
		Sequences []valueList `xml:"sequence"`
		User      []userAttr  `xml:"userAttr"`
	}
	valueSet struct {
		From     string   `xml:"from,attr"`
		To       string   `xml:"to,attr"`
		Contents contents `xml:"contents"`
	}
	valueList struct {
		Contents contents `xml:"contents"`
		Values   []int    `xml:"seqValue"`
	}
	cross struct {
		Name    string     `xml:"name,attr"`
		Key     string     `xml:"key,attr"`
		Options options    `xml:"options"`
		Exprs   []string   `xml:"crossExpr"`
		Bins    []crossBin `xml:"crossBin"`
		User    []userAttr `xml:"userAttr"`
	}
	crossBin struct {
		Name     string     `xml:"name,attr"`
		Key      string     `xml:"key,attr"`
		Type     string     `xml:"type,attr,omitempty"`
		Index    []int      `xml:"index"`
		Contents contents   `xml:"contents"`
		User     []userAttr `xml:"userAttr"`
	}
	userAttr struct {
		Key  string `xml:"key,attr"`
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	}
)

// The types of bin.
const (
	typeBins    = "bins"
	typeDefault = "default" // of a coverpoint: what is in no other bin; of a cross: any bin
	typeIgnore  = "ignore"
	typeIllegal = "illegal"
)
