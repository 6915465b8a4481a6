/** What the API reference tells about calls and fields, by the English text of the server's own table and schemas. */
export const toldInApi = {
  'Answers a conversation, in one document or as a stream.':
    '会話に応答します。応答は1つのJSON、またはストリームです。',
  'Lists the completions that were stored.': '保存された補完を一覧します。',
  'Reads a stored completion.': '保存された補完を取得します。',
  'Replaces the metadata of a stored completion.': '保存された補完のメタデータを置き換えます。',
  'Deletes a stored completion.': '保存された補完を削除します。',
  'Lists the messages that a stored completion answered.':
    '保存された補完の、応答の対象となったメッセージを一覧します。',
  'Lists the models.': 'モデルを一覧します。',
  'Reads about one model.': '1つのモデルの情報を取得します。',
  'This document.': 'このページのもとになっているOpenAPI文書です。',

  'The older name of max_completion_tokens.': 'max_completion_tokens の旧名です。',
  'The most tokens of the answer.': '応答の最大トークン数です。',
  'How many answers.': '生成する応答の数です。',
  'The same seed gives the same answer, as far as it can be promised.':
    '同じシードなら、保証できる範囲で同じ応答になります。',
  '0 takes the most likely token; higher is more varied.':
    '0では最も確率の高いトークンを選び、値が大きいほど多様になります。',
  'Only the most likely tokens that together have this probability.':
    '確率の高い順に、合計がこの値に達するまでのトークンだけを候補にします。',
  'Against tokens by how often they were said.': 'すでに出たトークンを、出た回数に応じて抑えます。',
  'Against tokens that were said.': '一度でも出たトークンを抑えます。',
  'From token id to a number that is added to its logit.': 'トークンIDと、そのロジットに加える数値の組です。',
  'Tells the probability of each token.': '各トークンの確率を返します。',
  'How many likely tokens are told at each place.': '各位置で返す、確率の高いトークンの数です。',
  'Answers with server-sent events.': 'Server-Sent Eventsで応答します。',
  'Keeps the completion, to be read again under its id.': '補完を保存し、あとからIDで取得できるようにします。',
  'A JSON Schema for the arguments.': '引数のJSON Schemaです。',
  'A JSON Schema.': 'JSON Schemaです。',
  'A JSON Schema, or one written as text.': 'JSON Schema、またはそれを文字列にしたものです。',
  'Ignored: what a client noted beside an answer.': '無視されます。クライアントが応答に付け加えた情報です。',
  'Refused: the model does not speak.': '拒否されます。モデルは音声を出力しません。',
  'Refused: there is no moderation model.': '拒否されます。モデレーション用のモデルはありません。',
  'Refused: the model does not search.': '拒否されます。モデルは検索を行いません。',

  'Only so many of the most likely tokens; 0 or -1: all.':
    '確率の高い順に、この数のトークンだけを候補にします。0または-1ではすべてが候補です。',
  'Only tokens with this share of the best probability.':
    '最も高い確率に対する比率がこの値以上のトークンだけを候補にします。',
  'Above 1 against tokens of prompt and answer.': '1より大きいと、プロンプトと応答にすでに出たトークンを抑えます。',
  'No end before so many tokens.': 'このトークン数に達するまで応答を終えません。',
  'Goes on to the limit.': '終了トークンが出ても、上限まで生成を続けます。',
  'Goes on with the last message instead of answering it.': '最後のメッセージに応答せず、その続きを生成します。',
  'Lets the template open the answer; true unless told.':
    'テンプレートに応答の書き出しを加えさせます。既定はtrueです。',
  'Tells the ids of the tokens of prompt and answer.': 'プロンプトと応答のトークンIDを返します。',
} as const
