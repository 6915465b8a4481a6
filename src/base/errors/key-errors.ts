import type { ErrorRow } from './error-row.ts'

/** Errors about the API key of a request. */
export const keyErrors = {
  missing_api_key: {
    status: 401,
    code: null,
    message:
      "You didn't provide an API key. Send it in the Authorization header as `Authorization: Bearer YOUR_KEY`. To create a key, run `helix keys create`.",
  },
  incorrect_api_key: {
    status: 401,
    code: 'invalid_api_key',
    message: 'Incorrect API key provided: {key}. To list the keys on this server, run `helix keys list`.',
  },
  revoked_api_key: { status: 401, code: 'invalid_api_key', message: 'API key {key} has been revoked.' },
  expired_api_key: { status: 401, code: 'invalid_api_key', message: 'API key {key} has expired.' },
  rotated_api_key: {
    status: 401,
    code: 'invalid_api_key',
    message: 'API key {key} was rotated and its grace period has ended. Use the new secret.',
  },

  paused_api_key: {
    status: 403,
    code: 'key_paused',
    message: 'API key {key} is paused. Resume it in the console to use it again.',
  },

  missing_scope: {
    status: 403,
    code: 'missing_scope',
    message: "This API key does not have the required scope '{scope}'.",
  },
  network_not_allowed: {
    status: 403,
    code: 'network_not_allowed',
    message: 'This API key cannot be used from the address {address}.',
  },
  model_not_allowed: {
    status: 403,
    code: 'model_not_allowed',
    message: 'This API key does not have access to the model `{model}`.',
  },
} as const satisfies Record<string, ErrorRow>
