"""autogen-core: one routed agent for each role on one runtime; a role publishes to the topic of the next."""

import asyncio
import importlib.metadata
import json
import uuid
from dataclasses import dataclass

from autogen_core import (
    CancellationToken,
    FunctionCall,
    MessageContext,
    RoutedAgent,
    SingleThreadedAgentRuntime,
    TopicId,
    TypeSubscription,
    message_handler,
)
from autogen_core.models import (
    ChatCompletionClient,
    CreateResult,
    RequestUsage,
    SystemMessage,
    UserMessage,
)
from autogen_core.tools import FunctionTool

import pipeline

TOOL = FunctionTool(pipeline.read_file, description="Read lines of a text file.")
USAGE = RequestUsage(prompt_tokens=0, completion_tokens=0)
waiting = {}


@dataclass
class Work:
    """What one role hands to the next."""

    task: str
    body: str


class PinnedModel(ChatCompletionClient):
    """Answers at once with what is pinned for its role; R3 with a native tool call."""

    def __init__(self, role):
        self.role = role

    async def create(self, messages, **kwargs):
        content, reason = pipeline.REPLIES[self.role], "stop"
        if self.role == "R3":
            arguments = json.dumps(pipeline.tool_arguments())
            content = [FunctionCall(id=uuid.uuid4().hex, name="read_file", arguments=arguments)]
            reason = "function_calls"
        return CreateResult(finish_reason=reason, content=content, usage=USAGE, cached=False)

    def create_stream(self, messages, **kwargs):
        raise NotImplementedError

    async def close(self):
        pass

    def actual_usage(self):
        return USAGE

    def total_usage(self):
        return USAGE

    def count_tokens(self, messages, **kwargs):
        return 0

    def remaining_tokens(self, messages, **kwargs):
        return 0

    @property
    def capabilities(self):
        return self.model_info

    @property
    def model_info(self):
        return {
            "vision": False,
            "function_calling": True,
            "json_output": True,
            "family": "unknown",
            "structured_output": True,
        }


class RoleAgent(RoutedAgent):
    def __init__(self, role):
        super().__init__(role)
        self.role = role
        self.model = PinnedModel(role)
        place = pipeline.ONE_STEP_ROLES.index(role) + 1
        self.next = pipeline.ONE_STEP_ROLES[place] if place < len(pipeline.ONE_STEP_ROLES) else None

    @message_handler
    async def work(self, message: Work, ctx: MessageContext) -> None:
        messages = [
            SystemMessage(content=pipeline.SYSTEM[self.role]),
            UserMessage(content=message.body, source="pipeline"),
        ]
        tools = [TOOL] if self.role == "R3" else []
        reply = await self.model.create(messages, tools=tools, cancellation_token=ctx.cancellation_token)
        if isinstance(reply.content, str):
            json.loads(reply.content)
            body = reply.content
        else:
            arguments = json.loads(reply.content[0].arguments)
            body = TOOL.return_value_as_string(await TOOL.run_json(arguments, CancellationToken()))
        if self.next is None:
            waiting.pop(message.task).set_result(body)
        else:
            await self.publish_message(Work(message.task, body), TopicId(self.next, "default"))


runtime = None


async def task():
    global runtime
    if runtime is None:
        runtime = SingleThreadedAgentRuntime()
        for role in pipeline.ONE_STEP_ROLES:
            await RoleAgent.register(runtime, role, lambda role=role: RoleAgent(role))
            await runtime.add_subscription(TypeSubscription(role, role))
        runtime.start()
    name = uuid.uuid4().hex
    waiting[name] = asyncio.get_running_loop().create_future()
    await runtime.publish_message(Work(name, pipeline.REQUEST), TopicId(pipeline.ONE_STEP_ROLES[0], "default"))
    return await waiting[name]


pipeline.measure("autogen-core", importlib.metadata.version("autogen-core"), "memory", task)
