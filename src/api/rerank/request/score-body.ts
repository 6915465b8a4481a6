import { array, object, optional } from '../../../http/schema/containers.ts'
import { unrecognizedArguments } from '../../../http/schema/problem.ts'
import { string } from '../../../http/schema/scalars.ts'
import { described, type Schema, schema } from '../../../http/schema/schema.ts'
import { byType } from '../../../http/schema/variants.ts'
import { isUnservedByRerankers } from '../../generation/request/unserved-fields.ts'
import { maxDocuments, pairFields, pairText } from './pair-fields.ts'

/** One text is a list of one. */
const single: Schema<string[]> = schema(pairText.json, (value) => [pairText(value)])
const texts = byType('one of a string, an object or an array of them', {
  string: single,
  object: single,
  array: array(pairText, { min: 1, max: maxDocuments, of: 'strings or objects' }),
})

/** `POST /v1/score`: the fields of vLLM. */
export const scoreBody = object(
  {
    model: string(),
    text_1: optional(described('One query for all documents, or one query for each.', texts)),
    text_2: optional(described('One document or several.', texts)),
    queries: optional(described('Another name of `text_1`, together with `documents`.', texts)),
    documents: optional(described('Another name of `text_2`, together with `queries`.', texts)),
    ...pairFields,
  },
  { unknown: unrecognizedArguments, isUnserved: isUnservedByRerankers },
)
