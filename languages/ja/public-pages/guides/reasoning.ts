import type { PublicWords } from '../../../words.ts'

export const reasoning: PublicWords['guides']['reasoning'] = {
  title: '推論',
  description: 'モデルが回答の前に考えた内容を読む方法と、考える量を選ぶ方法です。',
  lead: '答える前に考えるモデルがあります。',
  leadRest: '考えた内容は、回答とは別に届きます。',
  question: '10週間は何日ですか。',
  sections: {
    read: {
      title: '推論の内容を読む',
      text: '推論を行うモデルでは、メッセージに`content`と並んで`reasoning_content`が入ります。helix-v1など、推論を行わないモデルでは入りません。次のコードは、どちらのモデルでも動きます。',
    },
    stream: {
      title: 'ストリームの場合',
      text: '推論の内容が先に届き、そのあとに`content`が続きます。',
    },
    effort: {
      title: '考える量を選ぶ',
      text: '`reasoning_effort`には`none`、`minimal`、`low`、`medium`、`high`、`xhigh`、`max`のいずれかを指定します。`none`にすると、推論を省けるモデルでは推論を行いません。ほかの値で違いが出るかどうかは、モデルによります。推論を行わないモデルでは効果がありません。',
    },
    tokens: {
      title: 'トークン数',
      text: '推論は回答のトークンに含まれ、同じように課金され、`max_completion_tokens`にも数えます。推論に使われた数は`usage.completion_tokens_details.reasoning_tokens`でわかります。推論の途中で上限に達すると、`content`は空になり、`finish_reason`は`length`になります。',
    },
    apis: {
      title: 'ほかのAPIの場合',
      text: '`/v1/responses`では`reasoning`型のアイテム、`/v1/messages`では`thinking`型のブロックとして届きます。',
    },
  },
}
