package main

import (
	"os"
	"path/filepath"
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
