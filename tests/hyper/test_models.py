import json
import pickle
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from ludarium import game
from ludarium.core import BadParameter, LudariumError, UnsupportedGame
from ludarium.core.features import Feature
from ludarium.hyper.features import Features, features
from ludarium.hyper.models.likeness import Likeness
from ludarium.hyper.models.methods import METHODS, NoLearning, method
from ludarium.hyper.models.model import COVERS, train
from ludarium.hyper.models.regret import folds, folds_of_paper, grouped_folds, left_out, measure, regrets, repeated
from ludarium.hyper.models.store import BadModel, load, save
from ludarium.hyper.models.tables import Table, join, read
from ludarium.hyper.models.tables import write as write_table
from ludarium.hyper.models.words import why
from ludarium.hyper.shipped import LEAST
from tests.commands import run
from tests.hyper.tables import CANDIDATES, COLUMNS, table, write

TABLE = table()
MODEL = train(TABLE)


def told(row):
    return Features("a game", {name: Feature(value, "here") for name, value in zip(COLUMNS, row, strict=True)})


def test_regret_is_what_the_choice_costs():
    scores = np.array([[10.0, 60.0], [50.0, 20.0]])
    assert regrets(np.array([[0.0, 1.0], [0.0, 1.0]]), scores).tolist() == [0.0, 30.0]


@pytest.mark.parametrize("parts", [folds(83), folds_of_paper(83), grouped_folds(table(83))])
def test_folds_have_every_game_once(parts):
    assert len(parts) == 10
    assert sorted(np.concatenate(parts)) == list(range(83))


def test_grouped_folds_keep_twins_together():
    twins = replace(TABLE, features=np.repeat(TABLE.features[::2], 2, axis=0))
    for part in grouped_folds(twins, alike=0.99):
        assert all((game ^ 1) in part for game in part)


@pytest.mark.parametrize("name", METHODS)
def test_every_way_to_learn_predicts_all_candidates(name):
    predicted = left_out(TABLE, method(name), folds(len(TABLE.games), 3))
    assert predicted.shape == TABLE.scores.shape
    assert np.isfinite(predicted).all()


def test_a_forest_learns_what_there_is_and_a_mean_does_not():
    splits = list(repeated(len(TABLE.games), 2, 2))
    forest, mean = (measure(TABLE, method(name), splits) for name in ("forest", "mean"))
    assert forest.mean < 3 < mean.mean
    assert mean.error > 0
    assert len(forest.by_split) == 2


def test_arrays_say_what_scikit_learn_says():
    small = TABLE.distinct()
    for name in ("forest", "joint-forest"):
        way = method(name)
        fitted = way.fit(small.features, small.scores, 0)
        model = train(TABLE, learns=name)
        for row in small.features[:10]:
            theirs = way.predict(fitted, row[None], 3)[0]
            assert model.scores(row, np.ones(len(row), bool)) == pytest.approx(theirs, abs=1e-9)


def leaves(grove, node, row, known, share=1.0):
    """The leaves that a game comes to, one by one, with how much of it."""
    feature = grove.feature[node]
    if feature < 0:
        return [(share, node)]
    sides = (grove.left[node], grove.right[node])
    if known[feature]:
        ways = [(1.0, sides[int(row[feature] > grove.threshold[node])])]
    else:
        ways = [(grove.weight[side] / grove.weight[node], side) for side in sides]
    return [found for part, side in ways for found in leaves(grove, side, row, known, share * part)]


@pytest.mark.parametrize("name", ["forest", "joint-forest"])
def test_what_is_unknown_is_the_mean_of_all_leaves_that_it_may_lead_to(name):
    grove = train(TABLE, learns=name).learner
    row = TABLE.distinct().features[4].astype(np.float32)
    for known in (np.ones(len(row), bool), np.arange(len(row)) % 3 > 0, np.arange(len(row)) < 2):
        expected = np.zeros((grove.of.max() + 1, grove.value.shape[1]))
        for tree, root in zip(grove.of, grove.roots, strict=True):
            for share, leaf in leaves(grove, root, row, known):
                expected[tree] += share * grove.value[leaf] / (grove.of == tree).sum()
        assert grove.predict(row.astype(float), known) == pytest.approx(expected.ravel(), abs=1e-9)


def test_only_questions_that_have_an_answer_are_read():
    grove = train(TABLE, learns="joint-forest").learner
    row = TABLE.distinct().features[4]
    known = np.arange(len(row)) < 2
    asked = np.flatnonzero(np.isin(grove.feature, np.flatnonzero(known)))
    read = np.concatenate([grove.roots, asked, grove.left[asked], grove.right[asked]])
    value = np.full_like(grove.value, np.nan)
    value[read] = grove.value[read]
    assert (np.isnan(value[:, 0]).mean()) > 0.5
    assert replace(grove, value=value).predict(row, known).tolist() == grove.predict(row, known).tolist()


@pytest.mark.parametrize("name", ["forest", "joint-forest"])
def test_contributions_add_up_to_the_forecast(name):
    row = TABLE.distinct().features[4]
    model = train(TABLE, learns=name)
    for known in (np.ones(len(row), bool), np.arange(len(row)) % 3 > 0):
        for place, score in enumerate(model.scores(row, known)):
            base, added = model.learner.contributions(row, known, place)
            assert base + added.sum() == pytest.approx(score)
            assert not added[~known].any(), "what is unknown says nothing"


def test_intervals_hold_most_games():
    fresh = table(200, seed=11)
    inside = [
        each.low <= truth <= each.high
        for row, scores in zip(fresh.features, fresh.scores, strict=True)
        for each in MODEL.predict(told(row)).forecasts
        for truth in [scores[CANDIDATES.index(each.candidate)]]
    ]
    assert np.mean(inside) == pytest.approx(COVERS, abs=0.1)


def test_a_game_that_was_learned_from_is_its_own_nearest():
    found = MODEL.predict(told(TABLE.features[9]))
    assert (found.nearest, round(found.likeness, 6)) == ("game 9", 1.0)
    assert "the nearest game learned from is game 9" in str(found)


def test_what_is_unknown_makes_a_game_strange_and_is_counted():
    row = TABLE.features[9]
    partly = Features("a game", {name: Feature(value, "") for name, value in zip(COLUMNS[:12], row, strict=False)})
    found = MODEL.predict(partly)
    assert found.unknown == len(MODEL.columns) - sum(name in COLUMNS[:12] for name in MODEL.columns)
    assert found.likeness < 0.9
    with pytest.raises(UnsupportedGame, match="nothing is known of a game"):
        MODEL.predict(Features("a game", {}))


def test_reasons_name_what_matters():
    row = TABLE.features[0].copy()
    row[5], row[7] = 1, 0
    features = told(row)
    found = MODEL.predict(features)
    assert found.best == "grave"
    _, reasons = MODEL.reasons(features, "grave")
    assert reasons[0].feature == COLUMNS[5]
    assert reasons[0].points > 10
    assert f"in its favour: {COLUMNS[5]} (+" in why(MODEL, features, found)


def test_other_ways_to_learn_have_reasons_too():
    linear = train(TABLE, learns="linear")
    _, reasons = linear.reasons(told(TABLE.features[0]), "grave")
    assert reasons[0].feature == COLUMNS[5]


@pytest.mark.parametrize("name", ["forest", "linear"])
def test_what_is_unknown_is_no_reason(name):
    known = {each: Feature(1, "") for each in COLUMNS if each != COLUMNS[5]}
    _, reasons = train(TABLE, learns=name).reasons(Features("a game", known), "grave", most=40)
    assert COLUMNS[5] not in {each.feature for each in reasons}


def test_likeness_of_a_game_to_itself_is_one():
    assert np.diag(Likeness.of(TABLE.distinct()).matrix()) == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["forest", "joint-forest", "tree", "linear"])
def test_models_come_back_from_files_and_training_is_repeatable_byte_by_byte(name, tmp_path):
    small = table(30)
    one, other = tmp_path / "one.zip", tmp_path / "other.zip"
    model = train(small, learns=name)
    save(model, one)
    save(train(table(30), learns=name), other)
    assert one.read_bytes() == other.read_bytes()
    again = load(one)
    row = small.distinct().features[3]
    known = np.ones(len(row), bool)
    assert again.scores(row, known).tolist() == model.scores(row, known).tolist()
    assert (again.candidates, again.columns, again.digest) == (model.candidates, model.columns, model.digest)


@pytest.mark.parametrize("name", METHODS)
def test_models_of_every_method_come_back_and_predict_the_same(name, tmp_path):
    small = table(12)
    model = train(small, learns=name)
    save(model, tmp_path / "model.zip")
    again = load(tmp_path / "model.zip")
    for row in small.features[:3]:
        assert again.predict(told(row)) == model.predict(told(row))


def changed(path, tmp_path, **about):
    """The same model with other things told about it, and a right checksum."""
    from ludarium.hyper.models import store

    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    said = json.dumps({**json.loads(parts["about.json"]), **about}).encode()
    parts["about.json"], parts["checksum"] = said, store._sum(said, parts["learned.skops"]).encode()
    new = tmp_path / "changed.zip"
    new.write_bytes(store._archive(parts))
    return new


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"version": 99}, "newer than"),
        ({"features": 0}, "features of version 0"),
        ({"columns": ["Nonsense"]}, "'Nonsense'"),
        ({"columns": list(COLUMNS[:5])}, "do not go together"),
        ({"method": "magic"}, "'magic', is not known"),
        ({"version": None}, "does not tell its version"),
    ],
)
def test_models_of_other_versions_or_features_are_refused(about, message, tmp_path):
    save(MODEL, tmp_path / "model.zip")
    with pytest.raises(BadModel, match=message):
        load(changed(tmp_path / "model.zip", tmp_path, **about))


def test_damaged_files_and_pickles_are_refused(tmp_path):
    good = tmp_path / "model.zip"
    save(MODEL, good)
    bad = tmp_path / "bad.zip"
    data = bytearray(good.read_bytes())
    data[len(data) // 2] ^= 255
    bad.write_bytes(data)
    with pytest.raises(BadModel, match="damaged"):
        load(bad)
    bad.write_bytes(good.read_bytes()[:1000])
    with pytest.raises(BadModel, match="it is not an archive"):
        load(bad)

    class Loud:
        def __reduce__(self):
            return (print, ("a pickle was opened",))

    bad.write_bytes(pickle.dumps(Loud()))
    with pytest.raises(BadModel, match="a pickle is never opened"):
        load(bad)
    with pytest.raises(BadModel, match="no such file"):
        load(tmp_path / "nowhere.zip")


def test_trees_that_go_in_circles_are_refused(tmp_path):
    learner = MODEL.learner
    for name in ("threshold", "left", "value", "weight", "roots", "of"):
        short = replace(learner, **{name: getattr(learner, name)[1:]})
        save(replace(MODEL, learner=short), tmp_path / "short.zip")
        with pytest.raises(BadModel, match="do not hang together"):
            load(tmp_path / "short.zip")
    circle = replace(learner, left=np.zeros_like(learner.left))
    save(replace(MODEL, learner=circle), tmp_path / "circle.zip")
    with pytest.raises(BadModel, match="do not hang together"):
        load(tmp_path / "circle.zip")


def test_errors_vary_together_and_are_less_where_luck_is_known():
    spread = np.sqrt(np.diag(MODEL.errors))
    honest = left_out(TABLE, method("forest"), folds(len(TABLE.games)))
    assert spread == pytest.approx(np.sqrt(((honest - TABLE.scores) ** 2).mean(axis=0)), rel=0.5)
    assert (np.linalg.eigvalsh(MODEL.errors) > 0.9).all()
    noisy = replace(TABLE, scores=100.0 * (np.random.default_rng(2).binomial(5, TABLE.scores / 100) / 5))
    raw, mended = (np.diag(train(noisy, matches=count).errors) for count in (0, 5))
    luck = (TABLE.scores * (100 - TABLE.scores) / 5).mean(axis=0)
    assert (raw > luck * 0.8).all()
    assert raw - mended == pytest.approx(luck, rel=0.3)


def test_errors_that_cannot_be_are_refused_and_old_files_go_by_their_margins(tmp_path):
    import skops.io

    from ludarium.hyper.models import store

    for errors in (MODEL.errors[:2], -MODEL.errors, np.triu(MODEL.errors + 1), MODEL.errors * np.nan):
        save(replace(MODEL, errors=errors), tmp_path / "bad.zip")
        with pytest.raises(BadModel, match="candidates and errors"):
            load(tmp_path / "bad.zip")
    save(MODEL, tmp_path / "model.zip")
    with zipfile.ZipFile(tmp_path / "model.zip") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    data = skops.io.loads(parts["learned.skops"], trusted=[])
    del data["errors"]
    parts["learned.skops"] = skops.io.dumps(data)
    (tmp_path / "old.zip").write_bytes(store._archive(parts))
    old = load(changed(tmp_path / "old.zip", tmp_path, version=1))
    assert np.sqrt(np.diag(old.errors)) == pytest.approx(np.maximum(MODEL.margins / 1.2816, 1.0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no columns"),
        ("GameName,uct,mast\na,1\n", r"scores.csv:2: 2 values; expected 3"),
        ("GameName,uct,mast\na,1,two\n", r"scores.csv:2: mast is 'two'"),
        (
            "GameName,uct,mast\na,1,2\nb,1,101\n",
            r"scores.csv:3: mast is 101; expected a score in percent, from 0 to 100",
        ),
        ("GameName,uct,mast\na,-1,2\n", r"scores.csv:2: uct is -1; expected a score"),
        ("GameName,uct,uct\na,1,2\n", r"scores.csv:1: two columns are called 'uct'"),
        ("GameName,uct,mast\na,1,2\na,1,2\n", r"scores.csv:3: GameName 'a' is there twice"),
        ("GameName,uct,mast\na,1,nan\n", r"scores.csv:2: mast is 'nan'"),
    ],
)
def test_bad_tables_say_where(text, message, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(text)
    with pytest.raises(BadParameter, match=message):
        read(path)


def test_what_is_no_table_and_no_model_is_called_what_it_is(tmp_path):
    (tmp_path / "bad.csv").write_bytes(b"GameName,uct\n\xff,1\n")
    for name, said in {"": "it is a folder", "none.csv": "No such file", "bad.csv": "it is not UTF-8 text"}.items():
        with pytest.raises(BadParameter, match=rf"cannot read {tmp_path / name}: {said}"):
            read(tmp_path / name)
    with pytest.raises(BadModel, match="it is a folder"):
        load(tmp_path)


def test_what_is_unknown_is_a_gap_and_counts_as_the_mean(tmp_path):
    rows = {f"game {k}": [float(k % 2), None if k < 5 else float(k)] for k in range(12)}
    for name in ("features.csv", "features.csv.xz"):
        write_table(tmp_path / name, COLUMNS[:2], rows)
        heads, found = read(tmp_path / name, gaps=True)
        assert heads == COLUMNS[:2]
        assert np.isnan(found["game 3"][1])
    with pytest.raises(BadParameter, match=rf"features.csv:2: {COLUMNS[1]} is ''"):
        read(tmp_path / "features.csv")
    scores = tmp_path / "scores.csv"
    write_table(scores, ["uct", "mast"], {name: [k, 50.0] for k, name in enumerate(rows)})
    joined = join([tmp_path / "features.csv.xz"], scores)
    assert joined.features[:5, 1] == pytest.approx(np.mean(range(5, 12)))
    (tmp_path / "bad.csv.xz").write_bytes(b"not compressed")
    with pytest.raises(BadParameter, match="cannot read"):
        read(tmp_path / "bad.csv.xz")


def test_games_without_features_are_named(tmp_path):
    features_file, scores = write(tmp_path)
    lines = features_file.read_text().splitlines()
    features_file.write_text("\n".join(lines[:-2]) + "\n")
    with pytest.raises(BadParameter, match=r"features.csv has no line for 2 games of .*scores.csv: game 78, game 79"):
        join([features_file], scores)


def test_tables_that_teach_nothing_are_refused(tmp_path):
    with pytest.raises(BadParameter, match="1 game; at least 10"):
        Table(("one",), COLUMNS, TABLE.features[:1], CANDIDATES, TABLE.scores[:1])
    with pytest.raises(BadParameter, match="all candidates score the same"):
        replace(TABLE, scores=np.full_like(TABLE.scores, 50.0))
    with pytest.raises(BadParameter, match="all games have the same features"):
        replace(TABLE, features=np.ones_like(TABLE.features))
    with pytest.raises(BadParameter, match="nothing to choose from"):
        replace(TABLE, candidates=("uct",), scores=TABLE.scores[:, :1])
    features, scores = write(tmp_path)
    with pytest.raises(BadParameter, match="no column 'mcts'; it has uct, grave, alphabeta"):
        join([features], scores, ["uct", "mcts"])
    with pytest.raises(BadParameter, match="cannot read"):
        join([tmp_path / "none.csv"], scores)


def test_without_scikit_learn_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    with pytest.raises(NoLearning, match=r'pip install "ludarium\[hyper\]"') as problem:
        train(TABLE, learns="joint-forest")
    assert isinstance(problem.value, LudariumError)


def test_train_compare_and_predict_as_commands(tmp_path):
    features_file, scores = write(tmp_path)
    out = tmp_path / "model.zip"
    told = run("hyper", "train", scores, "--features", features_file, "--out", out).output
    assert "choosing costs" in " ".join(told.split())
    shown = run(
        "hyper", "compare", scores, "--features", features_file, "--method", "forest", "--method", "mean", "--folds", 4
    )
    assert shown.output.index("forest") < shown.output.index("mean")
    predicted = run("hyper", "predict", "connect-four", "--model", out)
    assert "The nearest game learned from is" in predicted.output
    assert "% in all games" in predicted.output
    refused = run("hyper", "predict", "nim", "--model", scores)
    assert refused.exit_code != 0


@pytest.mark.parametrize(
    ("own", "given", "matches"), [(False, None, LEAST), (False, 0, 0), (True, None, 0), (True, 7, 7)]
)
def test_how_many_matches_are_behind_a_score_is_heeded(own, given, matches, tmp_path, monkeypatch):
    learned = []

    def learn(table, **settings):
        learned.append(settings["matches"])
        return train(TABLE, learns="mean")

    monkeypatch.setattr("ludarium.hyper.models.model.train", learn)
    features_file, scores = write(tmp_path)
    command = [*([scores, "--features", features_file] if own else []), "--out", tmp_path / "model.zip"]
    assert run("hyper", "train", *command, *([] if given is None else ["--matches", given])).exit_code == 0
    assert learned == [matches]


def test_features_are_found_where_no_file_has_them(tmp_path):
    names = [
        "nim",
        "tic-tac-toe",
        "connect-four",
        "breakthrough",
        "kuhn-poker",
        "goofspiel",
        "gdl:tic-tac-toe",
        "lud:hex",
        "tron",
        "gdl:connect-four",
    ]
    scores = tmp_path / "scores.csv"
    scores.write_text("GameName,uct,flat\n" + "".join(f"{name},{50 + k},{60 - k}\n" for k, name in enumerate(names)))
    run("hyper", "train", scores, "--out", tmp_path / "model.zip")
    found = load(tmp_path / "model.zip").predict(features(game("lud:hex")))
    assert found.nearest == "lud:hex"
