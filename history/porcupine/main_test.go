package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func told(kind, value, outcome string, invoked, returned string) string {
	field := ""
	if value != "" {
		field = `,"value":"` + value + `"`
	}
	return `{"type":"operation","client":1,"node":"n1","life":1,"kind":"` + kind + `","mode":"linearizable","key":"k","ack":2,"from":3,` +
		`"invoked":` + invoked + `,"returned":` + returned + `,"outcome":"` + outcome + `"` + field + `}`
}

// conditional is a write with a condition; version is its own, or that of what refused it.
func conditional(value, expected, outcome, version, invoked, returned string) string {
	fields := `,"expected":"` + expected + `"`
	if version != "" {
		fields += `,"version":"` + version + `"`
	}
	plain := told("write", value, outcome, invoked, returned)
	return strings.TrimSuffix(plain, "}") + fields + "}"
}

// versioned adds the version.
func versioned(plain, version string) string {
	return strings.TrimSuffix(plain, "}") + `,"version":"` + version + `"}`
}

func verdict(t *testing.T, all bool, lines ...string) (int, string) {
	t.Helper()
	directory := t.TempDir()
	file := filepath.Join(directory, "history.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	picture := filepath.Join(directory, "picture.html")
	return judge(file, all, picture, time.Minute), picture
}

func TestReadAfterWriteIsLinearizable(t *testing.T) {
	got, _ := verdict(t, false, told("write", "a", "ok", "0", "1"), told("read", "a", "ok", "2", "3"))
	if got != 0 {
		t.Fatalf("verdict %d", got)
	}
}

func TestStaleReadIsNotAndLeavesAPicture(t *testing.T) {
	got, picture := verdict(t, false,
		told("write", "a", "ok", "0", "1"), told("write", "b", "ok", "2", "3"), told("read", "a", "ok", "4", "5"))
	if got != violated {
		t.Fatalf("verdict %d", got)
	}
	if _, err := os.Stat(picture); err != nil {
		t.Fatal(err)
	}
}

func TestReadsThatGoBackAreNot(t *testing.T) {
	got, _ := verdict(t, false,
		told("write", "a", "ok", "0", "1"), told("write", "b", "unknown", "2", "3"),
		told("read", "b", "ok", "4", "5"), told("read", "a", "ok", "6", "7"))
	if got != violated {
		t.Fatalf("verdict %d", got)
	}
}

func TestDeletedValueMustNotReturn(t *testing.T) {
	got, _ := verdict(t, false,
		told("write", "a", "ok", "0", "1"), told("delete", "", "ok", "2", "3"),
		told("read", "", "ok", "4", "5"), told("read", "a", "ok", "6", "7"))
	if got != violated {
		t.Fatalf("verdict %d", got)
	}
}

func TestWriteOfUnknownFateMayHappenLateOrNever(t *testing.T) {
	late, _ := verdict(t, false,
		told("write", "a", "ok", "0", "1"), told("write", "b", "unknown", "2", "3"),
		told("read", "a", "ok", "4", "5"), told("read", "b", "ok", "6", "7"))
	never, _ := verdict(t, false,
		told("write", "a", "ok", "0", "1"), told("write", "b", "unknown", "2", "3"), told("read", "a", "ok", "4", "5"))
	if late != 0 || never != 0 {
		t.Fatalf("verdicts %d, %d", late, never)
	}
}

func TestFailedWriteMustNotBeRead(t *testing.T) {
	got, _ := verdict(t, false, told("write", "a", "failed", "0", "1"), told("read", "a", "ok", "2", "3"))
	if got != violated {
		t.Fatalf("verdict %d", got)
	}
}

func TestReadWithoutAnswerTellsNothing(t *testing.T) {
	got, _ := verdict(t, false, told("write", "a", "ok", "0", "1"), told("read", "", "unknown", "2", "3"))
	if got != 0 {
		t.Fatalf("verdict %d", got)
	}
}

func TestOperationsOfQuorumModeAreJudgedOnlyIfAsked(t *testing.T) {
	lines := []string{told("write", "a", "ok", "0", "1"), told("read", "", "ok", "2", "3")}
	for i := range lines {
		lines[i] = strings.Replace(lines[i], "linearizable", "quorum", 1)
	}
	left, _ := verdict(t, false, lines...)
	judged, _ := verdict(t, true, lines...)
	if left != 0 || judged != violated {
		t.Fatalf("verdicts %d, %d", left, judged)
	}
}

func TestWhatIsNoOperationIsPassedOver(t *testing.T) {
	got, _ := verdict(t, false, `{"type":"loss","node":"n1","since":0,"at":1}`)
	if got != 0 {
		t.Fatalf("verdict %d", got)
	}
}

func TestMalformedLineIsNamed(t *testing.T) {
	if _, err := readHistory(strings.NewReader("{}\n{"), true); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Fatalf("error %v", err)
	}
}

func TestConditionalWritesEachOnTheLastAreLinearizable(t *testing.T) {
	got, _ := verdict(t, false,
		conditional("a", "absent", "ok", "v1", "0", "1"), conditional("b", "v1", "ok", "v2", "2", "3"),
		conditional("c", "v1", "refused", "v2", "4", "5"), conditional("d", "absent", "refused", "v2", "4", "5"),
		told("delete", "", "ok", "6", "7"), conditional("e", "v2", "refused", "", "8", "9"), conditional("f", "absent", "ok", "v4", "10", "11"))
	if got != 0 {
		t.Fatalf("verdict %d", got)
	}
}

func TestTwoWritesOnOneConditionAreNot(t *testing.T) {
	same, _ := verdict(t, false,
		conditional("a", "absent", "ok", "v1", "0", "1"), conditional("b", "v1", "ok", "v2", "2", "9"), conditional("c", "v1", "ok", "v3", "2", "9"))
	nothing, _ := verdict(t, false, conditional("a", "absent", "ok", "v1", "0", "9"), conditional("b", "absent", "ok", "v2", "0", "9"))
	if same != violated || nothing != violated {
		t.Fatalf("verdicts %d, %d", same, nothing)
	}
}

func TestRefusalByWhatWasAskedForIsNot(t *testing.T) {
	got, _ := verdict(t, false,
		conditional("a", "absent", "ok", "v1", "0", "1"), conditional("b", "v1", "refused", "v1", "2", "3"))
	if got != violated {
		t.Fatalf("verdict %d", got)
	}
}

func TestRefusalIsAReadOfWhatItMet(t *testing.T) {
	stale, _ := verdict(t, false,
		conditional("a", "absent", "ok", "v1", "0", "1"), conditional("b", "v1", "ok", "v2", "2", "3"),
		conditional("c", "absent", "refused", "v1", "4", "5"))
	missed, _ := verdict(t, false,
		conditional("a", "absent", "ok", "v1", "0", "1"), conditional("b", "v1", "ok", "v2", "2", "9"),
		conditional("c", "absent", "refused", "v2", "3", "4"), versioned(told("read", "a", "ok", "5", "6"), "v1"))
	if stale != violated || missed != violated {
		t.Fatalf("verdicts %d, %d", stale, missed)
	}
}

func TestConditionalWriteOfUnknownFateMayBeWhatAnotherAskedForOrNever(t *testing.T) {
	seen, _ := verdict(t, false,
		conditional("a", "absent", "ok", "v1", "0", "1"), conditional("b", "v1", "unknown", "", "2", "3"),
		versioned(told("read", "b", "ok", "4", "5"), "v2"), conditional("c", "v2", "ok", "v3", "6", "7"))
	never, _ := verdict(t, false,
		conditional("a", "absent", "ok", "v1", "0", "1"), conditional("b", "v1", "unknown", "", "2", "3"),
		conditional("c", "v1", "ok", "v3", "4", "5"))
	if seen != 0 || never != 0 {
		t.Fatalf("verdicts %d, %d", seen, never)
	}
}

func TestDeletionOfUnknownFateIsKnownByItsVersion(t *testing.T) {
	written, open := told("write", "a", "ok", "0", "1"), told("delete", "", "unknown", "2", "3")
	found := versioned(told("read", "", "ok", "4", "5"), "d1")
	late, _ := verdict(t, false, written, open, told("read", "a", "ok", "4", "5"), versioned(told("read", "", "ok", "6", "7"), "d1"))
	back, _ := verdict(t, false, written, open, found, told("read", "a", "ok", "6", "7"))
	tooEarly, _ := verdict(t, false, written, found, told("delete", "", "unknown", "6", "7"))
	ofNobody, _ := verdict(t, false, written, open, found, versioned(told("read", "", "ok", "6", "7"), "d2"))
	if late != 0 || back != violated || tooEarly != violated || ofNobody != violated {
		t.Fatalf("verdicts %d, %d, %d, %d", late, back, tooEarly, ofNobody)
	}
}

func TestAnyOfTwoDeletionsOfUnknownFateMayBeTheOneThatIsFound(t *testing.T) {
	got, _ := verdict(t, false,
		told("write", "a", "ok", "0", "1"), told("delete", "", "unknown", "2", "3"),
		versioned(told("read", "", "ok", "4", "5"), "d1"),
		told("write", "b", "ok", "6", "7"), told("delete", "", "unknown", "8", "20"),
		versioned(told("read", "", "ok", "9", "10"), "d2"))
	if got != 0 {
		t.Fatalf("verdict %d", got)
	}
}

func TestDeletionsAreToldApart(t *testing.T) {
	got, _ := verdict(t, false,
		versioned(told("delete", "", "ok", "0", "1"), "d1"), versioned(told("delete", "", "ok", "2", "3"), "d2"),
		versioned(told("read", "", "ok", "4", "5"), "d1"))
	if got != violated {
		t.Fatalf("verdict %d", got)
	}
}

// Each of them open to the end would have to be tried at every place.
func TestManyWritesOfUnknownFateAreDecided(t *testing.T) {
	var lines []string
	for i := 0; i < 4000; i += 4 {
		value, at := strconv.Itoa(i), func(n int) string { return strconv.Itoa(10*i + n) }
		lines = append(lines,
			told("write", "never"+value, "unknown", at(0), at(1)), told("delete", "", "unknown", at(0), at(1)),
			told("write", "seen"+value, "unknown", at(2), at(3)), told("write", value, "ok", at(2), at(9)),
			told("read", "seen"+value, "ok", at(4), at(9)), told("read", value, "ok", at(11), at(12)))
	}
	got, _ := verdict(t, false, lines...)
	if got != 0 {
		t.Fatalf("verdict %d", got)
	}
}
