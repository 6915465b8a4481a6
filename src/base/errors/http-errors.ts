import type { ErrorRow } from './error-row.ts'

/** Errors about HTTP, before a body is understood. */
export const httpErrors = {
  malformed_http: { status: 400, code: null, message: 'The request is not valid HTTP.' },
  unknown_url: { status: 404, code: 'unknown_url', message: 'Invalid URL ({method} {path})' },
  method_not_supported: {
    status: 405,
    code: 'method_not_supported',
    message: 'Method {method} is not supported for {path}. Supported: {allowed}.',
  },
  unsupported_content_type: {
    status: 400,
    code: 'unsupported_content_type',
    message: "Unsupported Content-Type: '{contentType}'. Only 'application/json' is accepted.",
  },
  unsupported_content_encoding: {
    status: 415,
    code: 'unsupported_content_encoding',
    message: "Unsupported Content-Encoding: '{encoding}'. Send the body uncompressed.",
  },
  expectation_failed: {
    status: 417,
    code: 'expectation_failed',
    message: "Unsupported Expect header: '{expectation}'.",
  },
  misdirected_request: {
    status: 421,
    code: 'misdirected_request',
    message: "This server is not '{host}'. Its address is {publicUrl}.",
  },
  unnamed_host: {
    status: 421,
    code: 'misdirected_request',
    message:
      "This server has no public address, so its pages open only under names of its own machine such as localhost, not under '{host}'. If a proxy passes requests on to it, set HELIX_PUBLIC_URL to the address that people open.",
  },
  request_too_large: {
    status: 413,
    code: 'request_too_large',
    message: 'The request body exceeds the limit of {limitBytes} bytes.',
  },
  headers_too_large: { status: 431, code: 'headers_too_large', message: 'The request headers are too large.' },
  request_timeout: { status: 408, code: 'request_timeout', message: 'The request did not arrive in time.' },

  invalid_json: {
    status: 400,
    code: null,
    message:
      'We could not parse the JSON body of your request. ({reason}) The body must be one JSON object in UTF-8, with special characters escaped.',
  },
} as const satisfies Record<string, ErrorRow>
