import { serveBodies } from '../../../http/serve-bodies.ts'
import { readTokenRequest } from './read-token-request.ts'

/** The thread of `token-request-reader.ts`. */
serveBodies(readTokenRequest)
