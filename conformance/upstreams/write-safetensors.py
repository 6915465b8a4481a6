"""Writes helix-v1 as safetensors, for engines that do not read GGUF files: weights in bfloat16, configuration, tokenizer and chat template.

Usage: python write-safetensors.py MODEL_DIRECTORY TARGET_DIRECTORY (needs the packages gguf, torch and safetensors)
"""

import json
import shutil
import sys
from pathlib import Path

import gguf
import torch
from safetensors.torch import save_file

LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
OTHER_NAMES = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}


def name_of(tensor: str) -> str:
    """The name that transformers gives to a tensor of a GGUF file."""
    if tensor in OTHER_NAMES:
        return OTHER_NAMES[tensor]
    _, layer, part, kind = tensor.split(".")
    return f"model.layers.{layer}.{LAYER_NAMES[part]}.{kind}"


def config_of(fields: dict, is_tied: bool) -> dict:
    def read(name: str):
        return fields[f"qwen2.{name}"].contents()

    return {
        "architectures": ["Qwen2ForCausalLM"],
        "model_type": "qwen2",
        "torch_dtype": "bfloat16",
        "hidden_act": "silu",
        "hidden_size": read("embedding_length"),
        "intermediate_size": read("feed_forward_length"),
        "num_hidden_layers": read("block_count"),
        "num_attention_heads": read("attention.head_count"),
        "num_key_value_heads": read("attention.head_count_kv"),
        "max_position_embeddings": read("context_length"),
        "rms_norm_eps": read("attention.layer_norm_rms_epsilon"),
        "rope_theta": read("rope.freq_base"),
        "vocab_size": read("vocab_size"),
        "bos_token_id": fields["tokenizer.ggml.bos_token_id"].contents(),
        "eos_token_id": fields["tokenizer.ggml.eos_token_id"].contents(),
        "tie_word_embeddings": is_tied,
        "use_sliding_window": False,
    }


def write_safetensors(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    fields: dict = {}
    tensors: dict = {}
    for part in sorted(source.glob("*.gguf")):
        reader = gguf.GGUFReader(part)
        fields = {**reader.fields, **fields}
        for tensor in reader.tensors:
            values = gguf.dequantize(tensor.data, tensor.tensor_type)
            tensors[name_of(tensor.name)] = torch.from_numpy(values.copy()).to(torch.bfloat16)
    save_file(tensors, target / "model.safetensors", metadata={"format": "pt"})

    tokens = fields["tokenizer.ggml.tokens"].contents()
    end = tokens[fields["tokenizer.ggml.eos_token_id"].contents()]
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": end,
        "pad_token": tokens[fields["tokenizer.ggml.padding_token_id"].contents()],
        "chat_template": fields["tokenizer.chat_template"].contents(),
        "model_max_length": fields["qwen2.context_length"].contents(),
    }
    config = config_of(fields, is_tied="lm_head.weight" not in tensors)
    for name, content in (("config.json", config), ("tokenizer_config.json", settings)):
        (target / name).write_text(json.dumps(content, ensure_ascii=False, indent=2), encoding="utf-8")
    shutil.copy(source / "tokenizer.json", target / "tokenizer.json")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write_safetensors(Path(sys.argv[1]), Path(sys.argv[2]))
