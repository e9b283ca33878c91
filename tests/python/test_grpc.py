"""The public interface as a foreign client sees it: gRPC over the socket, the protocol by reflection."""

import os
import sys
import unittest
import uuid

import grpc
from google.rpc import error_details_pb2, status_pb2

from daemon import Daemon, Protocol

SERVICE = "artoo.v1.ArtooService"
HEALTH = "grpc.health.v1.Health"
# The limit of a message, and of the text of a request.
MESSAGE_LIMIT = 1024 * 1024
INPUT_LIMIT = 64 * 1024


class Interface(unittest.TestCase):
    """One daemon for all tests; each makes tasks of its own."""

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(os.environ["ARTOO_TEST_DAEMON"])
        cls.daemon.wait()
        cls.protocol = Protocol(cls.daemon.channel)

    @classmethod
    def tearDownClass(cls):
        code = cls.daemon.stop()
        said = cls.daemon.said()
        cls.daemon.forget()
        if code != 0 or "panicked" in said:
            raise AssertionError(f"the daemon ended with {code} and said: {said}")

    def artoo(self, method, **fields):
        return self.protocol.call(SERVICE, method, fields)

    def submit(self, text, **fields):
        return self.artoo("SubmitTask", input=text, working_directory=str(self.daemon.work), **fields)

    def refused(self, expected, call):
        """The call fails with one of these codes; returns the error."""
        with self.assertRaises(grpc.RpcError) as caught:
            call()
        self.assertIn(caught.exception.code(), expected, caught.exception.details())
        return caught.exception

    def details(self, error, kind):
        """The first detail of this type in the status of an error."""
        trailing = dict(error.trailing_metadata())
        self.assertIn("grpc-status-details-bin", trailing)
        status = status_pb2.Status.FromString(trailing["grpc-status-details-bin"])
        self.assertEqual(status.code, error.code().value[0])
        for detail in status.details:
            found = kind()
            if detail.Unpack(found):
                return found
        self.fail(f"no {kind.DESCRIPTOR.full_name} in {status}")

    def serving(self):
        for service in ("", SERVICE):
            self.assertEqual(self.protocol.call(HEALTH, "Check", {"service": service}).status, 1, service)

    def test_health(self):
        self.serving()
        unknown = {"service": "artoo.v1.Nothing"}
        self.refused({grpc.StatusCode.NOT_FOUND}, lambda: self.protocol.call(HEALTH, "Check", unknown))

    def test_reflection_lists_the_services(self):
        for version in ("v1", "v1alpha"):
            self.assertLessEqual({SERVICE, HEALTH}, self.protocol.services(version), version)
        methods = self.protocol.pool.FindServiceByName(SERVICE).methods_by_name
        self.assertLessEqual({"SubmitTask", "StreamEvents", "AuditQuery"}, set(methods))

    def test_a_task_from_the_request_to_the_final_result(self):
        (self.daemon.work / "three.txt").write_text("one\ntwo\nthree\n")
        submitted = self.submit("how many lines are in three.txt", options={"unattended": True})
        self.assertEqual(uuid.UUID(submitted.task_id).version, 7)
        self.assertFalse(submitted.already_known)
        events = [answer.event for answer in self.artoo("StreamEvents", task_id=submitted.task_id, follow=True)]
        self.assertEqual([event.sequence for event in events], list(range(1, len(events) + 1)))
        self.assertEqual({event.task_id for event in events}, {submitted.task_id})
        kinds = [event.WhichOneof("payload") for event in events]
        self.assertEqual(kinds[0], "task_submitted")
        self.assertEqual(kinds.index("final_result"), len(kinds) - 1)
        result = events[-1].final_result
        self.assertEqual((result.directive, result.reason), ("accept", "criteria_met"))
        self.assertIn("3 lines", str(result.output))

        middle = len(events) // 2
        rest = [answer.event for answer in self.artoo("StreamEvents", task_id=submitted.task_id, after_sequence=middle)]
        self.assertEqual(rest, events[middle:])
        task = self.artoo("GetTask", task_id=submitted.task_id).task
        self.assertEqual((task.state, task.latest_sequence), ("finished", len(events)))
        self.refused(
            {grpc.StatusCode.OUT_OF_RANGE},
            lambda: self.artoo("StreamEvents", task_id=submitted.task_id, after_sequence=len(events) + 1),
        )

    def test_a_request_id_is_used_once(self):
        key = str(uuid.uuid4())
        first = self.submit("which folder am I in", request_id=key)
        again = self.submit("which folder am I in", request_id=key)
        self.assertEqual((again.task_id, first.already_known, again.already_known), (first.task_id, False, True))
        self.refused({grpc.StatusCode.ALREADY_EXISTS}, lambda: self.submit("what time is it", request_id=key))

    def test_bad_fields_are_named(self):
        cases = [
            ("input", {"input": ""}),
            ("input", {"input": " \n\t"}),
            ("input", {"input": "a" * (INPUT_LIMIT + 1)}),
            ("working_directory", {"input": "git status", "working_directory": str(self.daemon.root / "nowhere")}),
        ]
        for field, request in cases:
            error = self.refused(
                {grpc.StatusCode.INVALID_ARGUMENT}, lambda request=request: self.artoo("SubmitTask", **request)
            )
            violations = self.details(error, error_details_pb2.BadRequest).field_violations
            self.assertEqual([violation.field for violation in violations], [field])
            self.assertTrue(all(violation.description for violation in violations))
        error = self.refused({grpc.StatusCode.INVALID_ARGUMENT}, lambda: self.artoo("GetTask", task_id="not an id"))
        violations = self.details(error, error_details_pb2.BadRequest).field_violations
        self.assertEqual([violation.field for violation in violations], ["task_id"])

    def test_an_unknown_task_is_not_found(self):
        self.refused({grpc.StatusCode.NOT_FOUND}, lambda: self.artoo("GetTask", task_id=str(uuid.uuid4())))

    def test_what_is_not_there_is_unimplemented(self):
        for path in (f"/{SERVICE}/NoSuchMethod", "/artoo.v2.ArtooService/SubmitTask"):
            self.refused({grpc.StatusCode.UNIMPLEMENTED}, lambda path=path: self.protocol.send_bytes(path, b""))
        self.serving()

    def test_bytes_that_are_no_request(self):
        before = len(self.artoo("ListTasks").tasks)
        path = f"/{SERVICE}/SubmitTask"
        # Field 1 as text of two bytes that are no UTF-8; a length beyond the end; a wire type that does not exist.
        for content in (b"\x0a\x02\xff\xfe", b"\x0a\x7fabc", b"\x0f"):
            self.refused(
                {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.INTERNAL},
                lambda content=content: self.protocol.send_bytes(path, content),
            )
            self.serving()
        self.assertEqual(len(self.artoo("ListTasks").tasks), before)

    def test_a_message_over_the_limit(self):
        before = len(self.artoo("ListTasks").tasks)
        self.refused(
            {grpc.StatusCode.OUT_OF_RANGE, grpc.StatusCode.RESOURCE_EXHAUSTED},
            lambda: self.artoo("SubmitTask", input="a" * (MESSAGE_LIMIT + 1)),
        )
        self.serving()
        self.assertEqual(len(self.artoo("ListTasks").tasks), before)

    def test_the_audit_answers_in_time(self):
        # 3 seconds are promised.
        report = self.protocol.call(SERVICE, "AuditQuery", {"include_window": True}, timeout=3).report
        self.assertEqual(list(report.boundary_violations), [])


def main():
    outcome = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(Interface))
    bad = [test for test, _ in outcome.failures + outcome.errors]
    failed, skipped = len(bad), len(outcome.skipped)
    # What failed while the daemon started or stopped is not in the number of tests that ran.
    passed = outcome.testsRun - sum(isinstance(test, Interface) for test in bad) - skipped
    sys.stderr.flush()
    print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
