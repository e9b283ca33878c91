"""A real llama.cpp server with a tiny model of random weights: `python3 llama.py CONTEXT [API_KEY]`.

It makes the model (one layer, half a megabyte, the same bytes each time), starts the server of the package `xllamacpp` on a
free port of the loopback, prints its address as one line, and serves until its standard input ends. What the model says is
nonsense; what is real is the server: its streams, its grammars, its errors.
"""

import os
import random
import struct
import sys
import tempfile

import xllamacpp

WIDTH = 32
HIDDEN = 64
HEADS = 2
SEED = 20_261_123
# Tokens of a reply: a nonsense plan has some hundreds.
MOST_TOKENS = 3_000
TEMPLATE = (
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)

# Types of GGUF values, and kinds of tokens.
U32, F32, BOOL, STRING, ARRAY, I32 = 4, 6, 7, 8, 9, 5
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6


def tokens():
    """Text, score and kind of each token: every byte, and every printable character of ASCII."""
    yield "<unk>", 0.0, UNKNOWN
    yield "<s>", 0.0, CONTROL
    yield "</s>", 0.0, CONTROL
    for byte in range(256):
        yield f"<0x{byte:02X}>", 0.0, BYTE
    for code in range(0x21, 0x7F):
        yield chr(code), -1.0, NORMAL
    yield "\u2581", -1.0, NORMAL


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def value(kind, content):
    if kind == STRING:
        return text(content)
    return struct.pack({U32: "<I", F32: "<f", BOOL: "<?", I32: "<i"}[kind], content)


def entry(key, kind, content):
    return text(key) + struct.pack("<I", kind) + value(kind, content)


def array(key, kind, contents):
    items = b"".join(value(kind, content) for content in contents)
    return text(key) + struct.pack("<IIQ", ARRAY, kind, len(contents)) + items


def model(context):
    """The bytes of the model's file."""
    vocabulary = list(tokens())
    size = len(vocabulary)
    entries = [
        entry("general.architecture", STRING, "llama"),
        entry("general.name", STRING, "artoo random"),
        entry("llama.context_length", U32, context),
        entry("llama.embedding_length", U32, WIDTH),
        entry("llama.block_count", U32, 1),
        entry("llama.feed_forward_length", U32, HIDDEN),
        entry("llama.attention.head_count", U32, HEADS),
        entry("llama.attention.head_count_kv", U32, HEADS),
        entry("llama.attention.layer_norm_rms_epsilon", F32, 1e-5),
        entry("llama.rope.dimension_count", U32, WIDTH // HEADS),
        entry("llama.vocab_size", U32, size),
        entry("tokenizer.ggml.model", STRING, "llama"),
        array("tokenizer.ggml.tokens", STRING, [token for token, _, _ in vocabulary]),
        array("tokenizer.ggml.scores", F32, [score for _, score, _ in vocabulary]),
        array("tokenizer.ggml.token_type", I32, [kind for _, _, kind in vocabulary]),
        entry("tokenizer.ggml.unknown_token_id", U32, 0),
        entry("tokenizer.ggml.bos_token_id", U32, 1),
        entry("tokenizer.ggml.eos_token_id", U32, 2),
        entry("tokenizer.ggml.add_bos_token", BOOL, True),
        entry("tokenizer.chat_template", STRING, TEMPLATE),
    ]
    shapes = {
        "token_embd.weight": (WIDTH, size),
        "output_norm.weight": (WIDTH,),
        "output.weight": (WIDTH, size),
        "blk.0.attn_norm.weight": (WIDTH,),
        "blk.0.attn_q.weight": (WIDTH, WIDTH),
        "blk.0.attn_k.weight": (WIDTH, WIDTH),
        "blk.0.attn_v.weight": (WIDTH, WIDTH),
        "blk.0.attn_output.weight": (WIDTH, WIDTH),
        "blk.0.ffn_norm.weight": (WIDTH,),
        "blk.0.ffn_gate.weight": (WIDTH, HIDDEN),
        "blk.0.ffn_up.weight": (WIDTH, HIDDEN),
        "blk.0.ffn_down.weight": (HIDDEN, WIDTH),
    }
    dice = random.Random(SEED)
    infos, data = [], b""
    for name, shape in shapes.items():
        infos.append(text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape))
        infos.append(struct.pack("<IQ", 0, len(data)))
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        weights = [1.0] * count if len(shape) == 1 else [dice.gauss(0, 0.1) for _ in range(count)]
        data += struct.pack(f"<{count}f", *weights)
        data += bytes(-len(data) % 32)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(entries)) + b"".join(entries + infos)
    return head + bytes(-len(head) % 32) + data


def main():
    context, key = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "random.gguf")
        with open(path, "wb") as file:
            file.write(model(context))
        params = xllamacpp.CommonParams()
        params.model.path = path
        params.model_alias = ["random"]
        params.n_ctx = context
        params.n_predict = MOST_TOKENS
        params.n_parallel = 1
        params.hostnames = ["127.0.0.1"]
        params.sampling.seed = SEED
        params.fit_params = False
        params.cpuparams.n_threads = 2
        if key:
            params.api_keys = [key]
        server = xllamacpp.Server(params)
        print(server.listening_address, flush=True)
        sys.stdin.read()
    # The server's threads are not waited for: whoever started it is gone.
    os._exit(0)


main()
