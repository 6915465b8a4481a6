import type { RequestEndpoint } from '../../../../src/platform/contract/request-kinds.ts'
import { endpointText } from '../requests/endpoint-text.ts'

const chatPath = '/v1/chat/completions'

/** A stored request as a command for a shell. The key stays out of it: it comes from the environment. */
export const requestCurl = (endpoint: RequestEndpoint, body: string, baseUrl: string): string => {
  const path = endpointText(endpoint, chatPath).replace('/v1', '')
  return [
    `BASE_URL=${baseUrl}`,
    `curl -N "$BASE_URL${path}" \\`,
    '  -H "Authorization: Bearer $HELIX_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    // A quote ends the shell's text, stands on its own, and opens it again.
    `  -d '${body.replaceAll("'", "'\\''")}'`,
    '',
  ].join('\n')
}
