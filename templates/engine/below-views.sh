# --- below-views
# Mounts what the profile lists below an overlay, which would cover it.
# Reads: entries_below_views, held_below_views.

mount_entries "${entries_below_views[@]}"
hold "${held_below_views[@]}"
cd -- "$cwd"
