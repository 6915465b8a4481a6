import type { ErrorRow } from './error-row.ts'

/** Errors about a single parameter of any endpoint: missing, unknown, or with a value that it cannot have. */
export const parameterErrors = {
  missing_required_parameter: {
    status: 400,
    code: 'missing_required_parameter',
    message: "Missing required parameter: '{path}'.",
  },
  empty_array: {
    status: 400,
    code: 'empty_array',
    message:
      "Invalid '{path}': empty array. Expected an array with minimum length {minimum}, but got an empty array instead.",
  },
  empty_string: {
    status: 400,
    code: 'empty_string',
    message:
      "Invalid '{path}': empty string. Expected a string with minimum length 1, but got an empty string instead.",
  },
  array_above_max_length: {
    status: 400,
    code: 'array_above_max_length',
    message:
      "Invalid '{path}': array too long. Expected an array with maximum length {maximum}, but got an array with length {length} instead.",
  },
  string_above_max_length: {
    status: 400,
    code: 'string_above_max_length',
    message:
      "Invalid '{path}': string too long. Expected a string with maximum length {maximum}, but got a string with length {length} instead.",
  },
  invalid_type: {
    status: 400,
    code: 'invalid_type',
    message: "Invalid type for '{path}': expected {expected}, but got {actual} instead.",
  },
  invalid_value: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid value: '{value}'. Supported values are: {supported}.",
  },
  refused_value: { status: 400, code: 'invalid_value', message: "Invalid value for '{path}': {reason}." },
  pattern_mismatch: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid '{path}': string does not match pattern. Expected a string that matches the pattern '{pattern}'.",
  },
  object_above_max_properties: {
    status: 400,
    code: 'object_above_max_properties',
    message:
      "Invalid '{path}': too many properties. Expected an object with at most {maximum} properties, but got an object with {count} properties instead.",
  },
  key_above_max_length: {
    status: 400,
    code: 'string_above_max_length',
    message: "Invalid key in '{path}': '{key}'. Expected a key with maximum length {maximum}.",
  },
  invalid_token_id: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid key in '{path}': {id}. Expected the ID of a token in the vocabulary of the model.",
  },
  decimal_above_max_value: {
    status: 400,
    code: 'decimal_above_max_value',
    message: "Invalid '{path}': decimal above maximum value. Expected a value <= {maximum}, but got {value} instead.",
  },
  decimal_below_min_value: {
    status: 400,
    code: 'decimal_below_min_value',
    message: "Invalid '{path}': decimal below minimum value. Expected a value >= {minimum}, but got {value} instead.",
  },
  integer_above_max_value: {
    status: 400,
    code: 'integer_above_max_value',
    message: "Invalid '{path}': integer above maximum value. Expected a value <= {maximum}, but got {value} instead.",
  },
  integer_below_min_value: {
    status: 400,
    code: 'integer_below_min_value',
    message: "Invalid '{path}': integer below minimum value. Expected a value >= {minimum}, but got {value} instead.",
  },
  unrecognized_argument: {
    status: 400,
    code: null,
    message: 'Unrecognized request argument{s} supplied: {names}',
  },
  unknown_parameter: { status: 400, code: 'unknown_parameter', message: "Unknown parameter: '{path}'." },
  misspelt_parameter: {
    status: 400,
    code: 'unknown_parameter',
    message: "Unknown parameter: '{path}'. Did you mean '{suggestion}'?",
  },
  too_many_unknown_parameters: {
    status: 400,
    code: 'unknown_parameter',
    message: "Unknown parameter: '{path}'. At most {maximum} unknown parameters of a request are ignored.",
  },
  unsupported_parameter: {
    status: 400,
    code: 'unsupported_parameter',
    message: "Unsupported parameter: '{path}' is not supported with this model.",
  },
  unsupported_constraint: {
    status: 400,
    code: 'unsupported_parameter',
    message:
      "Unsupported parameter: '{path}'. Answers can be constrained with 'json', 'json_object', 'regex' or 'choice' only.",
  },
  built_in_tool_not_allowed: {
    status: 400,
    code: 'unsupported_value',
    message:
      "Unsupported value: '{path}' does not support '{value}' with this model. The operator of this server has not allowed this built-in tool for any of the model's upstreams.",
  },
  built_in_tools_changed_prompt: {
    status: 400,
    code: 'unsupported_value',
    message:
      "Built-in tools ('{tools}') cannot be used with this prompt, because a hook of this server has changed it.",
  },
  built_in_tools_checked_answer: {
    status: 400,
    code: 'unsupported_value',
    message:
      "Built-in tools ('{tools}') cannot be used here, because a hook of this server looks at the texts of answers, and what these tools do is not in them.",
  },
  unsupported_value: {
    status: 400,
    code: 'unsupported_value',
    message: "Unsupported value: '{path}' does not support '{value}' with this model.",
  },
} as const satisfies Record<string, ErrorRow>
