"""A daemon in an empty home of its own, and what its reflection service says about its protocol."""

import os
import pathlib
import shutil
import subprocess
import tempfile

import grpc
from google.protobuf import descriptor_pool, message_factory
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

# Seconds that one call or one start may take on a machine that does much else.
PATIENCE = 40
CONFIGURATION = ("ARTOO_", "OPENAI_", "BRAIN_", "TOOL_")


class Daemon:
    """Starts the daemon program and stops it; `root` is its home, `log` what it says on standard error."""

    def __init__(self, program):
        # Short, because the path of a socket is limited.
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="artoo-", dir="/tmp")).resolve()
        self.work = self.root / "work"
        self.work.mkdir()
        environment = {name: value for name, value in os.environ.items() if not name.startswith(CONFIGURATION)}
        environment.pop("PYTHONPATH", None)
        environment["HOME"] = str(self.root)
        self.log = open(self.root / "stderr.txt", "wb")
        self.process = subprocess.Popen(
            [program, "--foreground"], env=environment, cwd=self.work, stdin=subprocess.DEVNULL, stderr=self.log
        )
        self.channel = grpc.insecure_channel(
            f"unix:{self.root}/.artoo/artoo.sock",
            options=[
                # The path of the socket, which is what the library would send, is no authority.
                ("grpc.default_authority", "localhost"),
                # The socket appears while the library tries already.
                ("grpc.max_reconnect_backoff_ms", 100),
            ],
        )

    def wait(self):
        """Waits until it answers."""
        try:
            grpc.channel_ready_future(self.channel).result(timeout=PATIENCE)
        except grpc.FutureTimeoutError:
            self.stop()
            said = self.said()
            self.forget()
            raise RuntimeError(f"the daemon does not listen: {said}") from None

    def said(self):
        """What it said on standard error so far."""
        return (self.root / "stderr.txt").read_text(errors="replace")

    def stop(self):
        """Asks it to end, and returns its exit code."""
        self.channel.close()
        self.process.terminate()
        try:
            return self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def forget(self):
        """Removes its home."""
        self.log.close()
        shutil.rmtree(self.root, ignore_errors=True)


class Protocol:
    """Services and messages as the daemon describes them."""

    def __init__(self, channel):
        self.channel = channel
        self.pool = descriptor_pool.DescriptorPool(ProtoReflectionDescriptorDatabase(channel))

    def services(self, version):
        """Full names of the services that one version of the reflection service lists; both have the same messages."""
        ask = self.channel.stream_stream(
            f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
            reflection_pb2.ServerReflectionRequest.SerializeToString,
            reflection_pb2.ServerReflectionResponse.FromString,
        )
        request = reflection_pb2.ServerReflectionRequest(list_services="*")
        answer = next(ask(iter([request]), timeout=PATIENCE))
        return {service.name for service in answer.list_services_response.service}

    def call(self, service, method, fields, timeout=PATIENCE):
        """Calls a method with a request of these fields; a stream comes back as a list."""
        described = self.pool.FindServiceByName(service).methods_by_name[method]
        request = message_factory.GetMessageClass(described.input_type)(**fields)
        answer = message_factory.GetMessageClass(described.output_type)
        codec = (f"/{service}/{method}", type(request).SerializeToString, answer.FromString)
        if described.server_streaming:
            return list(self.channel.unary_stream(*codec)(request, timeout=timeout))
        return self.channel.unary_unary(*codec)(request, timeout=timeout)

    def send_bytes(self, path, content, timeout=PATIENCE):
        """Sends a request of exactly these bytes; the answer is bytes too."""
        return self.channel.unary_unary(path)(content, timeout=timeout)
