export const structuredOutput = {
  title: 'Structured output',
  description: 'Get answers as JSON that conforms to your schema, or limit them to a pattern or a list of choices.',
  lead: 'Answers that your program can read.',
  leadRest: 'The schema is enforced while the answer is generated.',
  question: 'Name a city in Norway.',
  mood: 'Is this review positive? I love it.',
  sections: {
    schema: {
      title: 'JSON that follows a schema',
      text: 'Send a JSON Schema as `response_format`. A token that would break it is never chosen, so you can parse the answer without checking its shape. Its content may still be wrong.',
    },
    cut: {
      title: 'Answers that are cut off',
      text: 'An answer that reaches `max_completion_tokens` ends in the middle, and so does its JSON. Check that `finish_reason` is `stop` before you parse it.',
    },
    refused: {
      title: 'Schemas that cannot be enforced',
      text: 'A schema with a keyword that cannot be enforced is rejected with 400, and the message names the keyword. No schema is silently weakened. With an upstream’s model, it is up to the upstream to enforce it.',
    },
    other: {
      title: 'Other formats',
      text: '`json_object` gives any JSON object. `structured_outputs` takes a `regex` or a list of values as `choice`; it is an extension, which the official Python client sends with `extra_body`.',
    },
  },
} as const
