import { openDirect } from './open-direct.ts'

/** The reference for `start`: one token, written as soon as it is generated. */
const { model, context } = await openDirect()
for await (const token of context.getSequence().evaluate(model.tokenize('Hello!'), { yieldEogToken: true })) {
  console.log(token)
  break
}
process.exit(0)
