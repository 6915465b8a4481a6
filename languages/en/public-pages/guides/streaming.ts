export const streaming = {
  title: 'Streaming',
  description: 'Read an answer while it is generated, count its tokens, stop it early and handle errors in the middle.',
  lead: 'Read the answer while it is written.',
  leadRest: 'One field switches it on.',
  sections: {
    read: {
      title: 'Read a stream',
      text: 'With `stream: true` the answer arrives as server-sent events. Each one contains the next piece of text; fast models send several tokens in one.',
    },
    events: {
      title: 'What arrives',
      text: 'The first chunk of each choice has the role, the last one its `finish_reason`: `stop`, `length` or `tool_calls`. The stream ends with `[DONE]`. When nothing was sent for ten seconds (the default), a comment line keeps the connection open; clients skip it.',
    },
    usage: {
      title: 'Count the tokens',
      text: 'With `include_usage` one more chunk comes before `[DONE]`. It has the usage of the whole request and an empty list of choices, so check that there is a choice before you read it.',
    },
    stop: {
      title: 'Stop early',
      text: 'Close the connection, and the model stops. You are billed for what was sent until then. If the connection breaks by accident, an `Idempotency-Key` lets you resume the stream where it broke.',
    },
    errors: {
      title: 'Errors in the middle',
      text: 'Until something has been sent, an error has its own status code. After that it arrives as one event with an `error` object, and there is no `[DONE]`. The official clients raise it as an exception.',
    },
  },
} as const
