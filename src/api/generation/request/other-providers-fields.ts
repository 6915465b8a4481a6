/**
 * Fields that other providers, engines and clients have in requests. None of them is a misspelling of one of ours, even if it
 * is one letter away (`models`, `top_a`, `speed`): it is left out like any other unknown field.
 */
const names = {
  vllm: `add_special_tokens cache_salt continuous_usage_stats guided_decoding_backend guided_whitespace_pattern
    include_reasoning kv_transfer_params length_penalty  media_io_kwargs mm_processor_kwargs priority
    repetition_detection request_id return_prompt_text return_tokens_as_token_ids skip_special_tokens
    spaces_between_special_tokens stream_interval thinking_token_budget truncation_side vllm_xargs`,
  sglang: `custom_params no_stop_trim return_hidden_states rid sampling_params separate_reasoning session_params
    stream_reasoning top_n`,
  llamaCpp: `cache_prompt dry_allowed_length dry_base dry_multiplier dry_penalty_last_n dry_sequence_breakers
    dynatemp_exponent dynatemp_range grammar_lazy grammar_triggers id_slot min_keep mirostat mirostat_eta mirostat_tau
    n_discard n_indent n_keep n_predict parse_tool_calls penalize_nl post_sampling_probs reasoning_control
    reasoning_format repeat_last_n repeat_penalty response_fields return_progress return_tokens samplers
    sse_ping_interval t_max_predict_ms tfs_z thinking_forced_open timings_per_token top_n_sigma typical_p
    xtc_probability xtc_threshold`,
  ollama: 'context images keep_alive num_ctx num_predict options think',
  huggingFace: `adapter_id decoder_input_details details do_sample inputs max_new_tokens return_full_text tool_prompt
    top_n_tokens truncate watermark`,
  openRouter: `debug image_config include_reasoning models plugins preset provider reasoning route session_id top_a
    transforms usage web_search`,
  together: 'compliance context_length_exceeded_behavior safety_model',
  fireworks: 'mirostat_lr mirostat_target perf_metrics_in_response prompt_truncate_len raw_output speculation',
  groq: 'citation_options compound_custom disable_tool_validation exclude_domains include_domains search_settings',
  mistral: 'guardrails prefix prompt_mode random_seed safe_prompt',
  deepSeek: 'reasoning_content thinking',
  xai: 'agent_count deferred tool_resources',
  anthropic: 'betas cache_control citations inference_geo service_tier signature speed stats stop_reason title',
  gemini: `cached_content contents extra_content generation_config google safety_settings thinking_budget
    thinking_config thought thought_signature`,
  cohere: 'chat_history connectors input_type preamble raw_prompting safety_mode texts',
  perplexity: `disable_search return_images return_related_questions search_after_date_filter search_domain_filter
    search_mode search_recency_filter stream_mode`,
  dashScope: `enable_code_interpreter enable_thinking incremental_output partial result_format search_options
    tool_stream translation_options vl_high_resolution_images`,
  azure: 'enhancements user_security_context',
  liteLlm: `allowed_openai_params api_base cache caching custom_llm_provider drop_params fallbacks litellm_call_id
    litellm_metadata litellm_params litellm_session_id mock_response num_retries request_timeout tags timeout ttl`,
  langChain: `additional_kwargs example invalid_tool_calls ls_structured_output_format response_metadata
    tool_call_chunks usage_metadata`,
  crewAi: 'cache_breakpoint from_agent from_task',
  aiSdk: `createdAt experimental_attachments experimental_providerMetadata extra_body parts providerMetadata
    providerOptions toolInvocations`,
  openWebUi: 'background_tasks chat_id features files filter_ids model_item params sources tool_ids variables',
} as const

const known = new Set(Object.values(names).flatMap((list) => list.split(/\s+/)))

export const isOtherProvidersField = (name: string): boolean => known.has(name)
