import { serveBodies } from '../../../http/serve-bodies.ts'
import { readEmbeddingRequest } from './read-embedding-request.ts'

/** The thread of `embedding-request-reader.ts`. */
serveBodies(readEmbeddingRequest)
