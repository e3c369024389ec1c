"""Converting a file and back loses nothing."""

import pytest

from ludarium.core import LudariumError
from ludarium.gdl.text.convert import convert
from ludarium.gdl.text.reader import read
from tests.gdl.text.texts import INFIX, PREFIX


@pytest.mark.parametrize(("text", "endings"), [(PREFIX, (".kif", ".hrf")), (INFIX, (".hrf", ".gdl"))])
def test_rules_stay_the_same_there_and_back(tmp_path, text, endings):
    source, target, back = (tmp_path / f"{name}" for name in ("a" + endings[0], "b" + endings[1], "c" + endings[0]))
    source.write_text(text)
    convert(source, target)
    convert(target, back)
    assert read(source) == read(target) == read(back)


def test_comments_empty_lines_and_ors_are_kept(tmp_path):
    infix = tmp_path / "game.hrf"
    prefix = tmp_path / "game.kif"
    again = tmp_path / "again.hrf"
    infix.write_text(
        "%% A game\n% by us\n\nrole(a) % the only one\n\nh(X) :- p(X) & (q | ~r)\n% more\ns\n\n% the end\n"
    )
    convert(infix, prefix)
    assert prefix.read_text() == (
        ";; A game\n; by us\n\n(role a) ; the only one\n\n(<= (h ?x) (p ?x) (or q (not r)))\n; more\ns\n\n; the end\n"
    )
    convert(prefix, again)
    assert again.read_text() == infix.read_text()


def test_comments_inside_a_statement_go_before_it(tmp_path):
    source = tmp_path / "game.kif"
    source.write_text("(p a)\n(<= h ; the head\n\n  ; the body\n  b) ; done\n")
    convert(source, tmp_path / "game.hrf")
    assert (tmp_path / "game.hrf").read_text() == "p(a)\n% the head\n% the body\nh :- b % done\n"


def test_names_that_infix_has_no_letters_for_come_back(tmp_path):
    source = tmp_path / "game.kif"
    source.write_text("(<= (p ?X ?x ?n++) (q N -1 speed+))\n")
    convert(source, tmp_path / "game.hrf")
    assert (tmp_path / "game.hrf").read_text() == (
        "p(Var_X,X,N_u002b__u002b_) :- q(name_N,name__u002d_1,speed_u002b_)\n"
    )
    convert(tmp_path / "game.hrf", tmp_path / "back.kif")
    assert (tmp_path / "back.kif").read_text() == source.read_text()


def test_nothing_is_written_if_anything_is_wrong(tmp_path):
    source = tmp_path / "game.kif"
    source.write_text("(p a)\n(q ?)")
    target = tmp_path / "game.hrf"
    with pytest.raises(LudariumError, match=r"game\.kif:2:4"):
        convert(source, target)
    with pytest.raises(LudariumError, match="ends in"):
        convert(source, tmp_path / "game.txt")
    source.write_text("(p a)")
    with pytest.raises(LudariumError, match="this is the file to convert"):
        convert(source, source)
    with pytest.raises(LudariumError, match="No such file"):
        convert(source, tmp_path / "none" / "game.hrf")
    assert source.read_text() == "(p a)"
    assert not target.exists()


@pytest.mark.corpus
def test_every_file_of_the_corpus_means_the_same_after_converting_there_and_back(corpus, tmp_path):
    there, back, again = tmp_path / "a.hrf", tmp_path / "b.kif", tmp_path / "c.hrf"
    for path in [path for path in corpus.rglob("*") if path.suffix in (".kif", ".gdl")]:
        convert(path, there)
        convert(there, back)
        convert(back, again)
        assert read(path) == read(there) == read(back), path
        assert there.read_text() == again.read_text(), path
