import { array, nullable, object, optional } from '../../../http/schema/containers.ts'
import { unrecognizedArguments } from '../../../http/schema/problem.ts'
import { boolean, integer, string } from '../../../http/schema/scalars.ts'
import { described } from '../../../http/schema/schema.ts'
import { isUnservedByRerankers } from '../../generation/request/unserved-fields.ts'
import { maxDocuments, pairFields, pairText } from './pair-fields.ts'

/** `POST /v1/rerank`: the fields of Jina, Cohere and vLLM. */
export const rerankBody = object(
  {
    model: string(),
    query: described('The text to compare documents with.', pairText),
    documents: described(
      'The documents, each as a string or as an object with a `text`.',
      array(pairText, { min: 1, max: maxDocuments, of: 'strings or objects' }),
    ),
    top_n: optional(
      nullable(
        described(
          'Number of results to return, the most relevant first. 0 or null: all.',
          integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        ),
      ),
    ),
    return_documents: optional(nullable(described('Includes the texts of the documents in the results.', boolean))),
    ...pairFields,
  },
  { unknown: unrecognizedArguments, isUnserved: isUnservedByRerankers },
)
