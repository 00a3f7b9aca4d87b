"""What the console's routes are given, by the names of their parameters."""

from __future__ import annotations

from litestar.di import NamedDependency

from liuying.console.access import Gate
from liuying.features.audit.service import Actor
from liuying.features.operators.service import Operator
from liuying.installation.services import Services

GivenServices = NamedDependency[Services]
GivenGate = NamedDependency[Gate]
GivenOperator = NamedDependency[Operator]
GivenActor = NamedDependency[Actor]
