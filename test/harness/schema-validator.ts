import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

const ajv = new Ajv2020({ strict: false, validateFormats: true, meta: false, validateSchema: false })
formats.default(ajv)

/** The judge of what a schema allows: a validator that shares nothing with the grammars. */
export const schemaValidator = (schema: unknown): ((value: unknown) => boolean) => {
  const validate = ajv.compile(typeof schema === 'boolean' ? schema : Object(schema))
  return (value) => validate(value) === true
}
