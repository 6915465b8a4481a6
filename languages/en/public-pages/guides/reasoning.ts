export const reasoning = {
  title: 'Reasoning',
  description: 'Read what a model thinks before it answers, and choose how much it thinks.',
  lead: 'Some models think before they answer.',
  leadRest: 'What they think is separate from the answer.',
  question: 'How many days are there in 10 weeks?',
  sections: {
    read: {
      title: 'Read the reasoning',
      text: 'With a model that reasons, the message has `reasoning_content` beside `content`. Other models, such as helix-v1, leave it out: the samples work with both.',
    },
    stream: {
      title: 'In a stream',
      text: 'Reasoning arrives first, in deltas of its own. The deltas with `content` follow.',
    },
    effort: {
      title: 'Choose how much',
      text: '`reasoning_effort` is one of `none`, `minimal`, `low`, `medium`, `high`, `xhigh` and `max`. `none` switches reasoning off with models that can do without. Which other levels make a difference depends on the model. It has no effect on models that do not reason.',
    },
    tokens: {
      title: 'Tokens',
      text: 'Reasoning is part of the completion tokens: it is billed like the answer and counts towards `max_completion_tokens`. The number is in `usage.completion_tokens_details.reasoning_tokens`. If the limit is reached too early, `content` is empty and `finish_reason` is `length`.',
    },
    apis: {
      title: 'In the other APIs',
      text: 'In `/v1/responses`, reasoning is an item of the type `reasoning`. In `/v1/messages` it is a block of the type `thinking`.',
    },
  },
} as const
