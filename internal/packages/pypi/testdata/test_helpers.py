"""The helpers for tests hold what they say, also in many processes at once."""

import os
import subprocess
import sys

import pytest

import ccwire
from ccwire.testing import fuzz_framing, simulated

FLAGS = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"]
INITIALIZE = {"type": "control_request", "request_id": "1", "request": {"subtype": "initialize"}}


def prompt(claude, text):
    """Runs one prompt, and returns the text of its result."""
    line = {"type": "user", "message": {"role": "user", "content": text}}
    done = subprocess.run([claude.path, *FLAGS], input=ccwire.write(line), stdout=subprocess.PIPE, check=False)
    results = [m for m in map(ccwire.read_from_cli, done.stdout.splitlines()) if m["type"] == "result"]
    return results[0].get("result")


@pytest.mark.parametrize("n", range(50))
def test_many_at_once_do_not_disturb_each_other(claude_sim, n):
    claude = claude_sim(turns=[{"text": f"answer {n}"}])
    assert prompt(claude, "hello") == f"answer {n}"
    assert [m["type"] for m in claude.from_sdk] == ["user"]


def test_nothing_is_left_behind():
    with simulated(turns=[], check=False) as claude:
        session = subprocess.Popen([claude.path, *FLAGS], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        session.stdin.write(ccwire.write(INITIALIZE))
        session.stdin.flush()
        session.stdout.readline()
        claude.close(patience=0)
    assert session.wait(10) != 0
    assert not os.path.exists(os.path.dirname(claude.path))
    session.stdin.close()
    session.stdout.close()


def test_a_turn_that_is_not_used_fails_the_check():
    with pytest.raises(AssertionError, match='turn 2 .*was never used'):
        with simulated(turns=[{"text": "one"}, {"text": "two"}]) as claude:
            prompt(claude, "hello")


def test_a_prompt_that_no_turn_is_left_for_fails_the_check():
    with pytest.raises(AssertionError, match="no turn"):
        with simulated(turns=[{"text": "one"}]) as claude:
            prompt(claude, "hello")
            prompt(claude, "hello")
            subprocess.run([claude.path, *FLAGS], input=2 * ccwire.write({"type": "user", "message": {"role": "user", "content": "x"}}),
                           stdout=subprocess.DEVNULL)


def test_a_simulated_cli_that_is_never_started_fails_the_check():
    with pytest.raises(AssertionError, match="no session has ended"):
        with simulated():
            pass


def test_an_error_in_the_test_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        with simulated(turns=[{"text": "unused"}]):
            raise ZeroDivisionError


def test_a_script_that_is_wrong_is_an_error():
    with pytest.raises(ValueError, match="did you mean turns"):
        with simulated(turn=[]):
            pass


def test_the_fixture_fails_a_test_that_departs_from_the_script(tmp_path):
    (tmp_path / "test_it.py").write_text("def test_it(claude_sim):\n    claude_sim(turns=[{'text': 'unused'}])\n")
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_it.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "no session has ended" in done.stdout


def test_the_fuzzer_finds_what_is_wrong_with_a_parser():
    def splits_at_other_ends(pieces):
        for line in b"".join(pieces).decode("utf-8", "replace").splitlines():
            try:
                value = ccwire.read_as("PlainObject", line)
            except ccwire.Error:
                continue
            yield value

    from ccwire._shapes import SHAPES

    SHAPES["PlainObject"] = ("alias", "obj")
    with pytest.raises(AssertionError, match=r"U\+2028.*end of a line"):
        fuzz_framing(splits_at_other_ends, seconds=5)


@pytest.mark.parametrize("frames, read", [("from-cli", ccwire.read_from_cli), ("from-sdk", ccwire.read_from_sdk)])
def test_the_readers_pass_the_fuzzer(frames, read):
    def parse(pieces):
        for line in b"".join(pieces).split(b"\n"):
            try:
                yield read(line)
            except ccwire.Error:
                pass

    fuzz_framing(parse, seconds=20, frames=frames)


def test_a_parser_that_raises_is_reported():
    def fails(pieces):
        raise KeyError("no parser")

    with pytest.raises(AssertionError, match="no parser"):
        fuzz_framing(fails, seconds=5)
