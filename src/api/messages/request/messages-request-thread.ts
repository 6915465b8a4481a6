import { serveBodies } from '../../../http/serve-bodies.ts'
import { readMessagesRequest } from './read-messages-request.ts'

/** The thread of `messages-request-reader.ts`. */
serveBodies(readMessagesRequest)
