"""LangGraph: one node for each role, each asking a chat model; the tool runs in LangGraph's own tool node.

    langgraph_roles.py memory                    no checkpoints
    langgraph_roles.py sqlite sync|async|exit    AsyncSqliteSaver with that durability
"""

import asyncio
import importlib.metadata
import json
import os
import sys
import uuid
from typing import Annotated, TypedDict

import aiosqlite
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode

import pipeline


class State(TypedDict, total=False):
    messages: Annotated[list, add_messages]
    plan: dict
    result: str


class PinnedModel(BaseChatModel):
    """Answers at once with what is pinned for its role; R3 with a native tool call."""

    role: str

    @property
    def _llm_type(self):
        return "pinned"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        if self.role == "R3":
            call = {"name": "read_file", "args": pipeline.tool_arguments(), "id": uuid.uuid4().hex}
            message = AIMessage(content="", tool_calls=[call])
        else:
            message = AIMessage(content=pipeline.REPLIES[self.role])
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(self, messages, stop=None, run_manager=None, **kwargs):
        return self._generate(messages)


def node(role, field):
    model = PinnedModel(role=role)
    system = SystemMessage(pipeline.SYSTEM[role])

    async def run(state: State):
        message = await model.ainvoke([system, *state["messages"]])
        update = {"messages": [message]}
        if field == "result":
            json.loads(message.content)
            update[field] = message.content
        elif field:
            update[field] = json.loads(message.content)
        return update

    return run


def graph():
    builder = StateGraph(State)
    builder.add_node("R2", node("R2", "plan"))
    builder.add_node("R3", node("R3", None))
    builder.add_node("tools", ToolNode([tool(pipeline.read_file)]))
    builder.add_node("R4a", node("R4a", "result"))
    order = [START, "R2", "R3", "tools", "R4a", END]
    for before, after in zip(order, order[1:]):
        builder.add_edge(before, after)
    return builder


def main():
    version = importlib.metadata.version("langgraph")
    if sys.argv[1] == "memory":
        app = graph().compile()

        async def task():
            state = await app.ainvoke({"messages": [HumanMessage(pipeline.REQUEST)]})
            return state["result"]

        pipeline.measure("langgraph", version, "memory", task)
        return

    durability = sys.argv[2]
    opened = asyncio.Lock()
    app = None

    async def saved_app():
        nonlocal app
        async with opened:
            if app is None:
                path = os.path.join(pipeline.folder.name, "checkpoints.sqlite")
                saver = AsyncSqliteSaver(await aiosqlite.connect(path))
                await saver.setup()
                # 2 is FULL: every commit is synced, which is the promise that is compared.
                row = await (await saver.conn.execute("PRAGMA synchronous")).fetchone()
                if row[0] != 2:
                    raise AssertionError(f"SQLite's synchronous is {row[0]}, not 2")
                app = graph().compile(checkpointer=saver)
        return app

    async def task():
        thread = {"configurable": {"thread_id": uuid.uuid4().hex}}
        request = {"messages": [HumanMessage(pipeline.REQUEST)]}
        state = await (await saved_app()).ainvoke(request, thread, durability=durability)
        return state["result"]

    pipeline.measure("langgraph", version, f"sqlite-{durability}", task)


main()
# The saver's thread would keep the process; everything is printed.
os._exit(0)
