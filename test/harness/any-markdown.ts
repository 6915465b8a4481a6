import fc from 'fast-check'
import { hostileAnswers } from './hostile-answers.ts'

/** Pieces from which every construct of Markdown, its beginnings and its ends can come about by chance. */
const pieces = [
  '\n',
  '\n\n',
  ' ',
  '    ',
  '\t',
  '\r\n',
  'word',
  '。',
  '- ',
  '* ',
  '1. ',
  '2) ',
  '- [ ] ',
  '- [x] ',
  '> ',
  '# ',
  '### ',
  '---',
  '===',
  '```',
  '```js\n',
  '~~~',
  '    ```',
  '`',
  '``',
  '*',
  '**',
  '_',
  '~~',
  '| a | b |\n',
  '|---|:-:|\n',
  '|',
  '[a](https://example.com)',
  '![a](https://example.com/a.png)',
  '[a]',
  '[a]: https://example.com\n',
  '(javascript:alert(1))',
  'https://example.com',
  'a@example.com',
  '<br>',
  '<div>',
  '<!--',
  '&amp;',
  '&#60;',
  '\\',
  '<',
  '"',
  '\u0000',
]

/** Any text of such pieces, hostile answers among them. */
export const anyMarkdown = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constantFrom(...pieces), weight: 20 },
      { arbitrary: fc.constantFrom(...hostileAnswers.filter((answer) => answer.length < 200)), weight: 2 },
      { arbitrary: fc.string({ unit: 'binary', maxLength: 5 }), weight: 1 },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))
