"""What schemathesis does not know by itself: parts of uploads (tus) are bytes like others."""

import schemathesis

schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
