/**
 * The declarations of llama.cpp's C API that the engine uses, as they are in the headers of one release, which a test compares
 * them with. `llama-api.ts` binds them.
 */

export const structs = {
  llama_model_params: `
    ggml_backend_dev_t * devices;
    const struct llama_model_tensor_buft_override * tensor_buft_overrides;
    int32_t n_gpu_layers;
    enum llama_split_mode split_mode;
    enum llama_load_mode load_mode;
    enum llama_lazy_mode lazy_mode;
    int32_t main_gpu;
    const float * tensor_split;
    llama_progress_callback progress_callback;
    void * progress_callback_user_data;
    const struct llama_model_kv_override * kv_overrides;
    bool vocab_only;
    bool check_tensors;
    bool use_extra_bufts;
    bool no_host;
    bool no_alloc;
    bool load_mtp;`,
  llama_context_params: `
    uint32_t n_ctx;
    uint32_t n_batch;
    uint32_t n_ubatch;
    uint32_t n_seq_max;
    uint32_t n_rs_seq;
    uint32_t n_outputs_max;
    uint32_t n_outputs_max_per_seq;
    int32_t n_threads;
    int32_t n_threads_batch;
    enum llama_context_type ctx_type;
    enum llama_rope_scaling_type rope_scaling_type;
    enum llama_pooling_type pooling_type;
    enum llama_attention_type attention_type;
    enum llama_flash_attn_type flash_attn_type;
    float rope_freq_base;
    float rope_freq_scale;
    float yarn_ext_factor;
    float yarn_attn_factor;
    float yarn_beta_fast;
    float yarn_beta_slow;
    uint32_t yarn_orig_ctx;
    float defrag_thold;
    ggml_backend_sched_eval_callback cb_eval;
    void * cb_eval_user_data;
    enum ggml_type type_k;
    enum ggml_type type_v;
    ggml_abort_callback abort_callback;
    void * abort_callback_data;
    bool embeddings;
    bool offload_kqv;
    bool no_perf;
    bool op_offload;
    bool swa_full;
    bool kv_unified;
    struct llama_sampler_seq_config * samplers;
    size_t n_samplers;
    struct llama_context * ctx_other;`,
  llama_batch: `
    int32_t n_tokens;
    llama_token * token;
    float * embd;
    llama_pos * pos;
    int32_t * n_seq_id;
    llama_seq_id ** seq_id;
    int8_t * logits;`,
  ggml_type_traits: `
    const char * type_name;
    int64_t blck_size;
    int64_t blck_size_interleave;
    size_t type_size;
    bool is_quantized;
    ggml_to_float_t to_float;
    ggml_from_float_t from_float_ref;`,
  ggml_threadpool_params: `
    bool cpumask[GGML_MAX_N_THREADS];
    int n_threads;
    enum ggml_sched_priority prio;
    uint32_t poll;
    bool strict_cpu;
    bool paused;`,
} as const

/** What some fields contain by default in the release: those near the ends of the structs, and others than 0 before them. */
export const defaultModelParams = {
  n_gpu_layers: -1,
  split_mode: 1,
  load_mode: -1,
  lazy_mode: 1,
  main_gpu: 0,
  vocab_only: false,
  use_extra_bufts: true,
  no_host: false,
  load_mtp: false,
} as const
export const defaultContextParams = {
  n_ctx: 512,
  n_batch: 2048,
  n_ubatch: 512,
  n_seq_max: 1,
  n_outputs_max_per_seq: 1,
  pooling_type: -1,
  flash_attn_type: -1,
  yarn_beta_slow: -1,
  defrag_thold: -1,
  type_k: 1,
  type_v: 1,
  embeddings: false,
  offload_kqv: true,
  no_perf: true,
  op_offload: true,
  swa_full: true,
  kv_unified: false,
  samplers: null,
  ctx_other: null,
} as const

/** Declared in llama.h and exported by libllama. The first one tells the version. */
export const llamaFunctions = [
  'const char * llama_version(void)',
  'void llama_log_set(ggml_log_callback log_callback, void * user_data)',
  'void llama_backend_init(void)',
  'struct llama_model_params llama_model_default_params(void)',
  'struct llama_context_params llama_context_default_params(void)',
  'struct llama_model * llama_model_load_from_file(const char * path_model, struct llama_model_params params)',
  'void llama_model_free(struct llama_model * model)',
  'struct llama_context * llama_init_from_model(struct llama_model * model, struct llama_context_params params)',
  'void llama_free(struct llama_context * ctx)',
  'const struct llama_vocab * llama_model_get_vocab(const struct llama_model * model)',
  'int32_t llama_model_n_ctx_train(const struct llama_model * model)',
  'const char * llama_model_chat_template(const struct llama_model * model, const char * name)',
  'int32_t llama_model_n_layer(const struct llama_model * model)',
  'int32_t llama_model_n_embd(const struct llama_model * model)',
  'int32_t llama_model_n_embd_out(const struct llama_model * model)',
  'int32_t llama_model_n_head(const struct llama_model * model)',
  'int32_t llama_model_n_head_kv(const struct llama_model * model)',
  'bool llama_model_is_recurrent(const struct llama_model * model)',
  'bool llama_model_is_hybrid(const struct llama_model * model)',
  'uint64_t llama_model_size(const struct llama_model * model)',
  'int32_t llama_model_meta_val_str(const struct llama_model * model, const char * key, char * buf, size_t buf_size)',
  'llama_memory_t llama_get_memory(const struct llama_context * ctx)',
  'void llama_memory_clear(llama_memory_t mem, bool data)',
  'bool llama_memory_seq_rm(llama_memory_t mem, llama_seq_id seq_id, llama_pos p0, llama_pos p1)',
  'void llama_memory_seq_cp(llama_memory_t mem, llama_seq_id seq_id_src, llama_seq_id seq_id_dst, llama_pos p0, llama_pos p1)',
  'size_t llama_state_seq_get_size(struct llama_context * ctx, llama_seq_id seq_id)',
  'size_t llama_state_seq_get_data(struct llama_context * ctx, uint8_t * dst, size_t size, llama_seq_id seq_id)',
  'size_t llama_state_seq_set_data(struct llama_context * ctx, const uint8_t * src, size_t size, llama_seq_id dest_seq_id)',
  'int32_t llama_vocab_n_tokens(const struct llama_vocab * vocab)',
  'const char * llama_vocab_get_text(const struct llama_vocab * vocab, llama_token token)',
  'enum llama_token_attr llama_vocab_get_attr(const struct llama_vocab * vocab, llama_token token)',
  'bool llama_vocab_is_eog(const struct llama_vocab * vocab, llama_token token)',
  'llama_token llama_vocab_bos(const struct llama_vocab * vocab)',
  'llama_token llama_vocab_eos(const struct llama_vocab * vocab)',
  'llama_token llama_vocab_sep(const struct llama_vocab * vocab)',
  'llama_token llama_vocab_nl(const struct llama_vocab * vocab)',
  'bool llama_vocab_get_add_bos(const struct llama_vocab * vocab)',
  'bool llama_vocab_get_add_eos(const struct llama_vocab * vocab)',
  'bool llama_vocab_get_add_sep(const struct llama_vocab * vocab)',
  'int32_t llama_tokenize(const struct llama_vocab * vocab, const char * text, int32_t text_len, llama_token * tokens, int32_t n_tokens_max, bool add_special, bool parse_special)',
  'int32_t llama_detokenize(const struct llama_vocab * vocab, const llama_token * tokens, int32_t n_tokens, char * text, int32_t text_len_max, bool remove_special, bool unparse_special)',
  'struct llama_batch llama_batch_init(int32_t n_tokens, int32_t embd, int32_t n_seq_max)',
  'void llama_batch_free(struct llama_batch batch)',
  'int32_t llama_decode(struct llama_context * ctx, struct llama_batch batch)',
  'float * llama_get_logits_ith(struct llama_context * ctx, int32_t i)',
  'float * llama_get_embeddings_seq(struct llama_context * ctx, llama_seq_id seq_id)',
  'void llama_set_n_threads(struct llama_context * ctx, int32_t n_threads, int32_t n_threads_batch)',
  'void llama_attach_threadpool(struct llama_context * ctx, ggml_threadpool_t threadpool, ggml_threadpool_t threadpool_batch)',
] as const

/** Declared in ggml's headers and exported by libggml or by the backend that ggml selects for this machine. */
export const ggmlFunctions = [
  'void ggml_backend_load_all_from_path(const char * dir_path)',
  'ggml_backend_dev_t ggml_backend_dev_by_type(enum ggml_backend_dev_type type)',
  'size_t ggml_backend_dev_count(void)',
  'ggml_backend_dev_t ggml_backend_dev_get(size_t index)',
  'enum ggml_backend_dev_type ggml_backend_dev_type(ggml_backend_dev_t device)',
  'void ggml_backend_dev_memory(ggml_backend_dev_t device, size_t * free, size_t * total)',
  'const char * ggml_backend_dev_description(ggml_backend_dev_t device)',
  'ggml_backend_reg_t ggml_backend_dev_backend_reg(ggml_backend_dev_t device)',
  'void * ggml_backend_reg_get_proc_address(ggml_backend_reg_t reg, const char * name)',
  'struct ggml_threadpool_params ggml_threadpool_params_default(int n_threads)',
  'const struct ggml_type_traits * ggml_get_type_traits(enum ggml_type type)',
] as const
export const backendFunctions = [
  'struct ggml_threadpool * ggml_threadpool_new(struct ggml_threadpool_params * params)',
  'void ggml_threadpool_free(struct ggml_threadpool * threadpool)',
] as const
