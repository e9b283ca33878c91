// aimock with roles that do one task well, over Chat Completions, Responses and Messages: `node aimock.mjs FOLDER`, where FOLDER
// holds node_modules. It prints two addresses, the second one's key being `right-key`, and serves until its standard input ends.
//
// The model's name says how it behaves: `good`, or one of the faults of aimock. What `good` says it finds in the request alone.
import { createRequire } from "node:module";
import { join } from "node:path";

const { LLMock } = createRequire(join(process.argv[2], "package.json"))("@copilotkit/aimock");

const text = (content) =>
  typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
const said = (request, role) =>
  request.messages.filter((message) => message.role === role).map((message) => text(message.content)).join("\n");

// The lines below `## title`.
const section = (words, title) => {
  const lines = words.split("\n");
  const from = lines.indexOf(`## ${title}`);
  if (from < 0) return [];
  const to = lines.findIndex((line, at) => at > from && line.startsWith("## "));
  return lines.slice(from + 1, to < 0 ? undefined : to);
};
const criterion = (words) => ({ text: words, mode: "verifiable", check: null });
const verdicts = (words, title) => {
  const receipt = words.match(/^\[receipt ([^\]]+)\]/m)?.[1] ?? null;
  const listed = section(words, title).filter((line) => /^\d+\. /.test(line));
  return listed.map((line) => ({
    criterion: Number.parseInt(line, 10), verdict: "pass", failure_class: null, receipt, evidence: "The receipt shows it.",
  }));
};

// What each role says; a function of the person's side of the request, and of whether tools are offered natively.
const roles = {
  R1: () => ({
    slug: "list_files", intent: "List the text files.", constraints: { scope: null, deadline: null }, tags: ["files"],
    clarify: [], direct_answer: null,
  }),
  R2: (words) => (section(words, "Why it ends").length > 0 ? { found: [], next_moves: [] } : {
    task_criteria: [criterion("The answer names the files.")], output_from: null, decline: null,
    subtasks: [{
      sequence: 1, intent: "List the files", context: "", tools: ["glob"], targets: [],
      success_criteria: [criterion("The files are listed.")], supersedes: [],
    }],
  }),
  R3: () => ({ action: "tool", tool: "glob", arguments: { root: ".", pattern: "*.txt" }, final: true }),
  R4a: (words) => ({
    verdicts: verdicts(words, "Criteria"), task_verdicts: verdicts(words, "Task criteria"), correction: null,
  }),
  R5: () => ({ rule: "List again.", conditions: "The same task.", kind: "best_practice", lesson: "It works.", tags: ["files"], category: "procedure" }),
};

const answer = (request) => {
  const role = said(request, "system").match(/^# Role: (\w+)/)?.[1];
  const words = said(request, "user");
  if (role === "R3" && request.tools?.length > 0) {
    const found = section(words, "Done so far").filter((line) => line.startsWith("  ")).map((line) => line.trim());
    if (found.length > 0) return { content: found.join("\n") };
    return { toolCalls: [{ name: "glob", arguments: JSON.stringify({ root: ".", pattern: "*.txt" }) }] };
  }
  const reply = roles[role]?.(words);
  return reply ? { content: JSON.stringify(reply) } : { error: { message: `no role: ${role}`, type: "invalid_request_error" }, status: 400 };
};

const serve = async (options) => {
  const mock = new LLMock({ port: 0, logLevel: "silent", strict: true, ...options });
  const fault = (model, chaos) => mock.addFixture({ match: { model }, response: { content: "{}" }, chaos });
  mock.addFixture({ match: { model: "good" }, response: answer });
  fault("limited", { rateLimitRate: 1 });
  fault("malformed", { malformedRate: 1 });
  fault("cut", { disconnectRate: 1 });
  fault("broken", { dropRate: 1 });
  await mock.start();
  console.log(mock.url);
};
await serve({});
await serve({ auth: { apiKeys: ["right-key"] } });
process.stdin.on("end", () => process.exit(0)).resume();
