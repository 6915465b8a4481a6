/** Parts that samples are made of. */
export const user = { role: 'user', content: 'Hi, answer in JSON' }
export const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
export const strictParameters = { ...parameters, additionalProperties: false }
export const tool = { type: 'function', function: { name: 'get_weather', description: 'Weather', parameters } }
export const tools = [tool]
export const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }
export const part = (type: string, value: unknown) => ({
  messages: [{ role: 'user', content: [{ type, [type]: value }] }],
})
