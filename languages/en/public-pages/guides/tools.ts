export const tools = {
  title: 'Tools',
  description: 'Let the model call your functions: describe them, run the calls and send the results back.',
  lead: 'The model asks, your code acts.',
  leadRest: 'You describe functions, the model says which to call and with what.',
  question: 'What is the weather in Oslo?',
  city: 'Oslo',
  toolText: 'The current weather in a city',
  result: '18 °C and sunny',
  sections: {
    call: {
      title: 'Describe a function',
      text: 'A tool has a name, a description and a JSON Schema of its arguments. If the model wants to call it, `finish_reason` is `tool_calls`, and the message has the calls instead of text.',
    },
    answer: {
      title: 'What a call looks like',
      text: 'The arguments are a string of JSON. With `strict: true` they always conform to the schema. Without it they do too where the schema can be enforced; otherwise they are at least a JSON object.',
    },
    loop: {
      title: 'Send the result back',
      text: 'Add the message with the calls to the conversation, then one message of the role `tool` for each call, with its `tool_call_id`. Send it all again, until the model answers with text.',
    },
    choose: {
      title: 'Decide when tools are called',
      text: '`tool_choice` is `auto` by default. `required` forces a call, `none` forbids it, and the name of a function forces that one. `parallel_tool_calls: false` allows one call per answer; otherwise there may be up to 16.',
      after:
        'Small models choose tools less reliably than large ones: helix-v1 is for trying things out. In a stream, a call arrives as its name followed by pieces of its arguments.',
    },
  },
} as const
