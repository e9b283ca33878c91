"""LangGraph with parallel subtasks: the plan fans out with `Send`. Roles are plain functions, LangGraph's lightest form.

    langgraph_send.py SUBTASKS
"""

import importlib.metadata
import json
import operator
import sys
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

import pipeline

SUBTASKS = int(sys.argv[1])
PLAN = pipeline.plan_with(SUBTASKS)


class State(TypedDict, total=False):
    request: str
    plan: dict
    outcomes: Annotated[list, operator.add]
    result: str


async def model(role):
    return PLAN if role == "R2" else pipeline.REPLIES[role]


async def plan(state):
    return {"plan": json.loads(await model("R2"))}


def dispatch(state):
    return [Send("subtask", {"step": step}) for step in state["plan"]["subtasks"]]


async def subtask(state):
    action = json.loads(await model("R3"))
    output = pipeline.read_file(**action["arguments"])
    return {"outcomes": [{"output": output, "verdicts": json.loads(await model("R4a"))}]}


async def merge(state):
    if len(state["outcomes"]) != SUBTASKS:
        raise AssertionError(f"{len(state['outcomes'])} outcomes of {SUBTASKS} subtasks")
    reply = await model("R4b")
    json.loads(reply)
    return {"result": reply}


builder = StateGraph(State)
for name, function in (("plan", plan), ("subtask", subtask), ("merge", merge)):
    builder.add_node(name, function)
builder.add_edge(START, "plan")
builder.add_conditional_edges("plan", dispatch, ["subtask"])
builder.add_edge("subtask", "merge")
builder.add_edge("merge", END)
app = builder.compile()


async def task():
    return (await app.ainvoke({"request": pipeline.REQUEST, "outcomes": []}))["result"]


version = importlib.metadata.version("langgraph")
pipeline.measure("langgraph", version, "send", task, subtasks=SUBTASKS, bursts=False)
