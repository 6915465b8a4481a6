import { serveBodies } from '../../../http/serve-bodies.ts'
import { readResponsesRequest } from './read-responses-request.ts'

/** The thread of `responses-request-reader.ts`. */
serveBodies(readResponsesRequest)
