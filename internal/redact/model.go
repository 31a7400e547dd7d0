package redact

// modelRules are tokens of services that run language and other models. Above each rule stands where its
// vendor shows the shape.
var modelRules = []rule{
	// https://docs.anthropic.com/en/api/admin-api/apikeys
	{
		name: "anthropic-key", about: "Anthropic API and admin keys, OAuth tokens", rank: rankToken, match: matchToken,
		anchors: []string{"sk-ant-"},
		parts:   []part{{set: wordDash, min: 20}},
	},
	// https://openrouter.ai/docs/api-reference/authentication
	{
		name: "openrouter-key", about: "OpenRouter API keys", rank: rankToken, match: matchToken,
		anchors: []string{"sk-or-v1-"},
		parts:   []part{{set: anyHex, min: 32}},
	},
	// https://platform.openai.com/docs/api-reference/authentication
	{
		name: "openai-key", about: "OpenAI and compatible API keys", rank: rankToken, match: matchToken,
		anchors: []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sk-service-"},
		parts:   []part{{set: wordDash, min: 20}},
	},
	{
		name: "openai-key", about: "OpenAI and compatible API keys", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"sk-[A-Za-z0-9]"},
		parts:   []part{{set: alnum, min: 32}},
	},
	// https://huggingface.co/docs/hub/security-tokens
	{
		name: "huggingface-token", about: "Hugging Face user and organisation tokens", rank: rankToken, match: matchToken,
		anchors: []string{"hf_[A-Za-z0-9]", "api_org_"},
		parts:   []part{{set: alnum, min: 30}},
	},
	// https://console.groq.com/docs/quickstart
	{
		name: "groq-key", about: "Groq API keys", rank: rankToken, match: matchToken,
		anchors: []string{"gsk_"},
		parts:   []part{{set: alnum, min: 40}},
	},
	// https://docs.x.ai/docs/overview
	{
		name: "xai-key", about: "xAI API keys", rank: rankToken, match: matchToken,
		anchors: []string{"xai-"},
		parts:   []part{{set: alnum, min: 60}},
	},
	// https://docs.api.nvidia.com/
	{
		name: "nvidia-key", about: "NVIDIA API keys", rank: rankToken, match: matchToken,
		anchors: []string{"nvapi-"},
		parts:   []part{{set: wordDash, min: 50}},
	},
	// https://docs.perplexity.ai/guides/getting-started
	{
		name: "perplexity-key", about: "Perplexity API keys", rank: rankToken, match: matchToken,
		anchors: []string{"pplx-"},
		parts:   []part{{set: alnum, min: 40}},
	},
	// https://replicate.com/docs/topics/security/api-tokens
	{
		name: "replicate-token", about: "Replicate API tokens", rank: rankToken, match: matchToken,
		anchors: []string{"r8_[A-Za-z0-9]"},
		parts:   []part{{set: alnum, min: 36}},
	},
	// https://docs.smith.langchain.com/
	{
		name: "langsmith-key", about: "LangSmith API keys", rank: rankToken, match: matchToken,
		anchors: []string{"lsv2_pt_", "lsv2_sk_"},
		parts:   []part{{set: word, min: 32}},
	},
	// https://elevenlabs.io/docs/api-reference/authentication
	{
		name: "elevenlabs-key", about: "ElevenLabs API keys", rank: rankToken, match: matchToken,
		anchors: []string{"sk_[0-9a-f]"},
		parts:   []part{{set: lowerHex, min: 48, max: 48}},
	},
}
