/** Without bounds, the first ends the process that renders it: V8 cannot stop a thread in the middle of an allocation. */
export const templateLoops = {
  'a list of a thousand million numbers': '{% for i in range(1000000000) %}{% endfor %}',
  'a list that doubles':
    '{% set n = namespace(all=[1]) %}{% for i in range(40) %}{% set n.all = n.all + n.all %}{% endfor %}',
  'a text that doubles':
    "{% set n = namespace(all='x') %}{% for i in range(40) %}{% set n.all = n.all + n.all %}{% endfor %}",
  'a text that is replaced by longer ones':
    "{% set n = namespace(all='xx') %}{% for i in range(40) %}{% set n.all = n.all | replace('x', n.all) %}{% endfor %}",
}

const branches = Object.entries(templateLoops).map(
  ([name, loop]) => `{% if messages[0].content == '${name}' %}${loop}{% endif %}`,
)

export const loopingTemplate = `${branches.join('')}{% for message in messages %}<|im_start|>{{ message.content }}{% endfor %}`
