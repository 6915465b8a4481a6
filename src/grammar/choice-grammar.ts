import { choice, type Grammar, text } from './grammar.ts'

/** One of these texts. */
export const choiceGrammar = (choices: readonly string[]): Grammar => ({
  root: 'choice',
  rules: { choice: choice(...choices.map(text)) },
})
