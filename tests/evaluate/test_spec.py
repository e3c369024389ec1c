import pytest

from ludarium.core import BadParameter, LudariumError
from ludarium.evaluate import Result, evaluator
from ludarium.evaluate.generated import Generated
from ludarium.evaluate.linear import Linear
from ludarium.evaluate.sums import Auto, Sum
from ludarium.evaluate.terms import AdvancedMobility, Goals, Material, Mobility


@pytest.mark.parametrize(
    ("spec", "made"),
    [
        ("mobility", Sum((Mobility(),))),
        (" advanced ( looks = 2 ) ", Sum((AdvancedMobility(looks=2),))),
        ("material + 0.001*mobility", Sum((Material(), Mobility(weight=0.001)))),
        ("material - mobility * 2", Sum((Material(), Mobility(weight=-2.0)))),
        ("-(material + 3*goals(weight=2))", Sum((Material(weight=-1.0), Goals(weight=-6.0)))),
        ("goals(truth=0.9, power=3)", Sum((Goals(truth=0.9, power=3),))),
        ("auto", Auto()),
        ("result", Result()),
        ("linear(games=5)", Linear(games=5)),
        ("linear(file='a/b.json')", Linear(file="a/b.json")),
        ("generated(seed=3)", Generated(seed=3)),
    ],
)
def test_what_is_written_is_read(spec, made):
    assert evaluator(spec) == made
    if isinstance(made, Sum):
        assert evaluator(made.name) == made


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("mobilty", "unknown evaluator 'mobilty': did you mean 'mobility'?"),
        ("material + x", "unknown evaluator 'x'"),
        ("goals(wieght=2)", "evaluator 'goals' has no parameter 'wieght'; it has weight, truth, power"),
        ("auto(x=1)", "evaluator 'auto' has no parameter 'x'; it has none"),
        ("material + auto", "auto stands alone and cannot be part of a sum"),
        ("2*result", "result stands alone"),
        ("", "cannot read evaluator ''"),
        ("material +", "cannot read evaluator"),
        ("3", "cannot read evaluator"),
        ("material*mobility", "cannot read evaluator"),
        ("material/2", "cannot read evaluator"),
        ("'x'*material", "cannot read evaluator"),
        ("True*material", "cannot read evaluator"),
        ("goals(3)", "cannot read evaluator"),
        ("goals(power=1+x)", "goals: power is '1+x'; expected a whole number"),
        ("goals(**x)", "cannot read evaluator"),
        ("goals(power=0)", "goals: power is 0; expected a whole number from 1 to 100"),
        ("goals(truth=x)", "goals: truth is 'x'"),
        ("advanced(looks=1.5)", "advanced: looks is 1.5"),
        ("1e300*mobility", "mobility: weight is 1e"),
        ("linear(file=3)", "linear: file is 3"),
        ("a" * 5 + "(" * 300, "cannot read evaluator"),
        ("lambda: 0", "cannot read evaluator"),
        ("x\0", "cannot read evaluator"),
    ],
)
def test_what_cannot_be_read_is_told(spec, complaint):
    with pytest.raises(BadParameter) as told:
        evaluator(spec)
    assert complaint in str(told.value)
    assert isinstance(told.value, LudariumError)
