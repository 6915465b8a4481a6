import { curlCommand, wholePart } from '../../curl-command.ts'
import type { RequestDialect } from '../playground/opened/request-dialect.ts'
import { endpointPath } from '../requests/endpoint-text.ts'
import { findMissingMedia } from './missing-media.ts'

/** A stored request as a command for a shell. The key stays out of it: it comes from the environment; images and audio from files. */
export const requestCurl = (dialect: RequestDialect, body: string, baseUrl: string): string => {
  const parts = curlCommand({
    baseUrl,
    path: endpointPath(dialect).replace('/v1', ''),
    keyHeader: ['Authorization: Bearer $HELIX_API_KEY'],
    body: findMissingMedia(body).parts,
  })
  return `${parts.map(wholePart).join('')}\n`
}
