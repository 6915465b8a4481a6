import { serveBodies } from '../../../http/serve-bodies.ts'
import { readRequest } from './read-request.ts'

/** The thread of `request-reader.ts`. */
serveBodies(readRequest)
