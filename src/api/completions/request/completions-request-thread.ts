import { serveBodies } from '../../../http/serve-bodies.ts'
import { readCompletionsRequest } from './read-completions-request.ts'

/** The thread of `completions-request-reader.ts`. */
serveBodies(readCompletionsRequest)
